/// @file
/// What arithmetic costs in a tile, where memory does not matter.
#pragma once

#include "comm/communicator.h"
#include "kasen/base/profile.h"

namespace kasen::calibrate {

/// Collective. Fills in what arithmetic, transcendental functions and the launch of a kernel cost.
void measure_compute(const comm::Communicator& communicator, Profile& profile);

}  // namespace kasen::calibrate
