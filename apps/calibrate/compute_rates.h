/// @file
/// Measurement of the time of arithmetic in a tile, where memory does not matter.
#pragma once

#include "comm/communicator.h"
#include "kasen/base/profile.h"

namespace kasen::calibrate {

/// Collective. Fills in the times of arithmetic, of transcendental functions and of the launch of a kernel.
void measure_compute(const comm::Communicator& communicator, Profile& profile);

}  // namespace kasen::calibrate
