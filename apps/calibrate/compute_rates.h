/// @file
/// Measurement of the time of arithmetic in a tile, where memory does not matter.
#pragma once

#include "comm/communicator.h"
#include "kasen/base/profile.h"

namespace kasen::calibrate {

/// Collective. Fills in the times of moves, arithmetic, divisions, transcendental functions and launches of kernels.
void measure_compute(const comm::Communicator& communicator, Profile& profile);

}  // namespace kasen::calibrate
