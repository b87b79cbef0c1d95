/// @file
/// The hash of the program that runs.
#pragma once

#include <cstdint>

#include "comm/communicator.h"

namespace kasen::checkpoint {

/// Collective. A hash of the bytes of the executable of the first worker; 0 if they cannot be read.
std::uint64_t hash_of_executable(const comm::Communicator& workers);

}  // namespace kasen::checkpoint
