/// @file
/// Partition into ranges: contiguous runs of the given order, of equal load. Where neighbours in that order belong
/// together, as pages of a crawl and points of a mesh do, few non-zeros leave their range.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "comm/communicator.h"
#include "partition/partitioner.h"

namespace kasen::partition {

/// Collective; local if `communicator` is null, and `indices` then are all there are. How often indices below `length`
/// occur, in runs of neighbours: one each up to 65,536, and no more runs than that. Equal on all workers.
/// Cost: one all-reduce of at most 512 KiB.
Lengths lengths_of(const comm::Communicator* communicator, GlobalIndexView indices, std::uint64_t length);

/// The partitioner by ranges, and the given rule: parts get equal loads of elements and of the non-zeros that the rule
/// puts beside them. Owners take 8 bytes a part. Needs lengths.
std::unique_ptr<Partitioner> range_partitioner(std::string name, EntryRule rule);

}  // namespace kasen::partition
