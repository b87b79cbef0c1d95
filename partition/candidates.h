/// @file
/// Candidates of the automatic choice: what is counted of each, and which of them is best.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/partition_candidate.h"
#include "partition/partitioner.h"
#include "partition/tally.h"

namespace kasen::partition {

/// The largest imbalance of the load up to which automatic choice admits candidates.
inline constexpr double kMostImbalance = 1.1;

/// Collective; local if `communicator` is null. The elements of each part, of both sides together.
std::vector<std::uint64_t> count_masters(const comm::Communicator* communicator, const Assignment& rows,
                                         const Assignment& columns, bool one_space);

/// Collective; local if `communicator` is null, and `entries` then are all there are. The non-zeros of each part.
std::vector<std::uint64_t> count_nonzeros(const comm::Communicator* communicator, const Entries& entries,
                                          const Partitioning& partitioning);

/// The candidate of a rule, of whose owners the parts have so many elements.
PartitionCandidate candidate_of(std::string name, const Tally& counted, const std::vector<std::uint64_t>& masters,
                                const Shape& shape);

/// Sets what is known of the balance, from the numbers of each part.
void set_balance(PartitionCandidate& candidate, const std::vector<std::uint64_t>& nonzeros,
                 const std::vector<std::uint64_t>& masters, const Shape& shape);

/// Position of the best candidate: the fewest replicas of those that are balanced, the first one where equal; if none
/// is, the least imbalanced. @return also whether any is balanced
std::pair<std::size_t, bool> best_of(const std::vector<PartitionCandidate>& candidates);

/// Says of each why it is chosen or not. @param any_balanced as best_of() says
void explain(std::vector<PartitionCandidate>& candidates, std::size_t best, bool any_balanced);

}  // namespace kasen::partition
