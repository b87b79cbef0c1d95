/// @file
/// Timing of work that all workers do at the same time, as they do the steps of a plan.
#pragma once

#include <cstdint>
#include <functional>

#include "comm/communicator.h"

namespace kasen::calibrate {

/// Collective. Seconds of one call of `work` on the slowest worker: the least of several timings, each of as many calls
/// as take long enough to be timed. The least, because what disturbs a machine only ever makes it slower.
double seconds_of(const comm::Communicator& communicator, const std::function<void()>& work);

/// At least one: a difference of two timings may be negative, by noise.
std::uint64_t picoseconds(double seconds);

/// Keeps the compiler from dropping the work that made the value.
void keep(double value);

}  // namespace kasen::calibrate
