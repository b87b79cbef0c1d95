/// @file
/// Owners by a function of the user's.
#pragma once

#include <cstdint>
#include <functional>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "partition/assignment.h"

namespace kasen::partition {

/// The part of an element, from 0 to parts - 1; a pure function, the same on all workers.
using OwnerFunction = std::function<int(GlobalIndex index, int parts)>;

/// Collective. A table of what the function says; each worker calls it for a block of the indices, and blocks are
/// gathered. @throws InputError (agreed) if the function gives something else than a part.
Assignment assignment_by(const comm::Communicator& communicator, const OwnerFunction& owner, std::uint64_t length);

}  // namespace kasen::partition
