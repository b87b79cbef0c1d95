/// @file
/// Timing of work that all workers do at the same time, as they do the steps of a plan.
#pragma once

#include <functional>

#include "comm/communicator.h"

namespace kasen::calibrate {

/// Collective. Seconds of one call of `work` on the slowest worker: the least of several timings, each of as many calls
/// as take long enough to be timed. The least, because what disturbs a machine only ever makes it slower.
double seconds_of(const comm::Communicator& communicator, const std::function<void()>& work);

/// Keeps the compiler from dropping the work that made the value.
void keep(double value);

}  // namespace kasen::calibrate
