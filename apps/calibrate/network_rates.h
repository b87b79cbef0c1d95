/// @file
/// Measurement of the network between these workers by exchanges as plans make them.
#pragma once

#include "comm/communicator.h"
#include "kasen/base/profile.h"

namespace kasen::calibrate {

/// Collective. Fills in the cost of messages, bytes and reductions of Shareds, measured by exchanges in which every
/// worker sends to every other. With one worker there is no network: the profile stays as it is.
void measure_network(const comm::Communicator& communicator, Profile& profile);

}  // namespace kasen::calibrate
