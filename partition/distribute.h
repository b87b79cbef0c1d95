/// @file
/// Redistribution of a matrix's entries, or of a space's elements, to the workers they belong to.
#pragma once

#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/ids.h"
#include "partition/assignment.h"

namespace kasen::partition {

/// Collective. Sends entry k to worker `destination[k]`. Entries arrive by source worker, and from one worker in the
/// order they had there. `value_bytes` is equal on all workers.
/// Cost: each entry crosses the network at most once, in one all-to-all for rows, one for columns, one for values; at
/// the peak one of these arrays exists three times.
Entries distribute(const comm::Communicator& communicator, Entries entries, std::span<const Rank> destination);

/// Collective. The elements that `assignment` gives to this worker, ascending. Its parts are the workers.
/// Cost: each worker evaluates the assignment on its block of the indices only, and one all-to-all of the indices.
std::vector<GlobalIndex> masters_of(const comm::Communicator& communicator, const Assignment& assignment);

}  // namespace kasen::partition
