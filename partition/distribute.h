/// @file
/// Redistribution of a matrix's entries, or of a space's elements, to the workers they belong to.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/ids.h"
#include "partition/assignment.h"

namespace kasen::partition {

/// Says which worker some of a worker's entries go to: those from `begin` on, one for each place of `to`.
using Destinations = std::function<void(const Entries& entries, std::size_t begin, std::span<Rank> to)>;

/// Collective. Sends each entry to a worker. Entries arrive by source worker, and from one worker in the order they had
/// there. `value_bytes` is equal on all workers. @param destinations is called for all entries before any is sent
/// Cost: each entry crosses the network at most once, in rounds of 262,144 entries of a worker, each with an all-to-all
/// for counts, for rows, for columns and for values. Memory: the entries before and after, of which what has been sent
/// is given back round by round; for each entry as many bytes as hold a worker's number; and what a round takes.
Entries distribute(const comm::Communicator& communicator, Entries entries, const Destinations& destinations);
/// Collective. The same, of entry k to worker `destination[k]`.
Entries distribute(const comm::Communicator& communicator, Entries entries, std::span<const Rank> destination);

/// Collective. The elements that `assignment` gives to this worker, ascending. Its parts are the workers.
/// Cost: each worker evaluates the assignment on its block of the indices only, and one all-to-all of the indices.
std::vector<GlobalIndex> masters_of(const comm::Communicator& communicator, const Assignment& assignment);

}  // namespace kasen::partition
