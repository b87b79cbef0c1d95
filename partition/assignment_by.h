/// @file
/// Assignments by a function of the user's.
#pragma once

#include <cstdint>

#include "comm/communicator.h"
#include "kasen/base/owner_function.h"
#include "partition/assignment.h"

namespace kasen::partition {

/// Collective. A table of the owners that the function gives; each worker calls it for a block of the indices, and all
/// blocks are sent to all workers. @throws AgreedError if the function gives something else than a part.
Assignment assignment_by(const comm::Communicator& communicator, const OwnerFunction& owner, std::uint64_t length);

}  // namespace kasen::partition
