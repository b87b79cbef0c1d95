/// @file
/// Tally of candidates: the replicas of both sides and the loads of parts that partitions of a matrix would lead to,
/// counted for many rules at once, wherever the non-zeros happen to be; exactly, or on a sample.
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
/// @param sample a power of two. Beyond 1 numbers are estimates: replicas of one row and one column in so many, and the
/// parts of one non-zero in so many, each taken by hashes of its indices, times as many.
/// Cost: of the sample, every non-zero travels twice, to meet the others of its column and those of its row, as 8 bytes
/// (16 where a row, a column and a few bits do not fit in 64); memory three times that a non-zero; two radix sorts. For
/// hybrid-cut, the columns that the sample touches are made known to all workers, and their non-zeros counted.
std::vector<std::vector<Tally>> tally(const comm::Communicator* communicator, const Entries& entries,
                                      const std::vector<Family>& families, std::uint64_t sample = 1);

}  // namespace kasen::partition
