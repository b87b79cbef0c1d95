/// @file
/// Measurement of a worker's rates of memory and caches while all workers use them.
#pragma once

#include <cstdint>

#include "comm/communicator.h"
#include "kasen/base/profile.h"

namespace kasen::calibrate {

/// Collective. Fills in the rates of memory, the sizes of the caches, and the time of a random access. Takes
/// `most_bytes` of memory, but no more than a quarter of this worker's share of its machine's.
void measure_memory(const comm::Communicator& communicator, std::uint64_t most_bytes, Profile& profile);

}  // namespace kasen::calibrate
