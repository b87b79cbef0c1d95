/// @file
/// The hash of the program that runs.
#pragma once

#include <cstdint>

#include "comm/communicator.h"

namespace kasen::checkpoint {

/// Collective. A hash of the bytes of the executable of the first worker, and of the shared libraries of Kasen and
/// those that link them, of several for different instruction sets the one for all machines; 0 if none can be read.
std::uint64_t hash_of_executable(const comm::Communicator& workers);

}  // namespace kasen::checkpoint
