/// @file
/// Tally of candidates: the replicas of both sides and the loads of parts that partitions of a matrix would lead to,
/// counted exactly, for many rules at once, wherever the non-zeros happen to be.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "partition/assignment.h"
#include "partition/partitioner.h"

namespace kasen::partition {

/// A family of rules over the same owners.
struct Family {
  Assignment rows, columns;
  std::vector<EntryRule> rules;
};

struct Tally {
  std::uint64_t row_replicas = 0, column_replicas = 0;
  std::vector<std::uint64_t> nonzeros;  ///< of each part
};

/// Collective; local if `communicator` is null, and `entries` then are all there are. Tallies each rule of each family;
/// equal on all workers. All owners are of the same number of parts, any number.
/// Cost: every non-zero travels twice, first to meet the others of its column, then those of its row, as 8 bytes (16
/// where a row, a column and a few bits do not fit in 64); memory three times that a non-zero; two radix sorts.
std::vector<std::vector<Tally>> tally(const comm::Communicator* communicator, const Entries& entries,
                                      const std::vector<Family>& families);

}  // namespace kasen::partition
