/// @file
/// An assignment that a function of the user's gives.
#pragma once

#include <cstdint>

#include "comm/communicator.h"
#include "kasen/base/owner_function.h"
#include "partition/assignment.h"

namespace kasen::partition {

/// Collective. A table of what the function says; each worker calls it for a block of the indices, and blocks are
/// gathered. @throws InputError (agreed) if the function gives something else than a part.
Assignment assignment_by(const comm::Communicator& communicator, const OwnerFunction& owner, std::uint64_t length);

}  // namespace kasen::partition
