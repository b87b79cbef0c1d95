/// @file
/// Choice of a partition: as options ask, or (auto) the one with the fewest replicas of those that balance the load.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/options.h"
#include "kasen/base/partition_candidate.h"
#include "partition/candidates.h"
#include "partition/partitioner.h"

namespace kasen::partition {

/// Up to so many non-zeros, worker 0 runs label propagation alone: messages would take longer than the work.
inline constexpr std::uint64_t kMostOnOneWorker = 500'000;
/// The largest number of parts for which automatic choice tries label propagation, whose work for METIS grows with it.
inline constexpr int kMostPropagationParts = 256;

/// Ranges are taken at once where no more than one non-zero in so many, elements counted with their load, leaves its
/// own.
inline constexpr std::uint64_t kLoadPerNonzeroApart = 32;

/// Label propagation is tried where the best other candidate has more than one replica for so much load. It takes some
/// 150 ns a non-zero, and a replica saved some 5 ns a product, by being packed, sent and unpacked no more: with fewer
/// replicas, even 200 products would not give its time back if none was left. No program is known when data are placed;
/// one that runs for thousands of iterations names label propagation itself.
inline constexpr std::uint64_t kLoadPerReplica = 8;

struct ChosenPartitioning {
  Partitioning partitioning;
  std::vector<PartitionCandidate> candidates;  ///< empty if there was nothing to choose from
  double seconds = 0;                          ///< that comparing them took on this worker
};

/// Collective; local if `communicator` is null, and `entries` then are all there are. Chooses automatically. Equal on
/// all workers, whatever the spread of the entries.
/// Over one space, ranges, or the owners that there are with the rule of rows, are taken at once if few non-zeros leave
/// theirs (kLoadPerNonzeroApart) and they are balanced.
/// Candidates otherwise: block; range and range-column; row, column and hybrid-cut with thresholds 10, 30, 100, 300 and
/// 1000; 2d and range-2d if the grid has more than one column; then label propagation, if the best of them has many
/// replicas (kLoadPerReplica) and, beyond kMostOnOneWorker non-zeros, if has_clusters(). The fewest row and column
/// replicas win, the first one where equal, among those whose load, of non-zeros and kElementLoad an element, is no
/// more imbalanced than kMostImbalance; if there are none, the least imbalanced. Where the owners of a space are fixed,
/// only what fits them is tried. A matrix without zeros is cut into blocks of rows, and over one part there is nothing
/// to choose. Of more than 131,072 non-zeros and 16,384 a part, candidates are tallied on a sample; the balance of the
/// one that is taken is exact. Cost: see tally.h, has_clusters.h and label_propagation.h, and some passes over the
/// entries.
ChosenPartitioning choose_partitioning(const comm::Communicator* communicator, const Entries& entries,
                                       const Shape& shape, int parts);

/// Collective; local if `communicator` is null. The partitioner's decision; equal on all workers. If it needs the
/// pattern, that is gathered on worker 0, and owners are broadcast. @throws InputError (by all workers)
Partitioning run_partitioner(const comm::Communicator* communicator, const Partitioner& partitioner,
                             const Entries& entries, const Shape& shape, int parts);

/// Collective; local if `communicator` is null, and `entries` then are all there are. What a partitioning leads to.
PartitionCandidate measured(const comm::Communicator* communicator, const Entries& entries, const Shape& shape,
                            std::string name, const Partitioning& partitioning);

/// Collective; local if `communicator` is null. The partition that the options ask for, or the automatic choice.
ChosenPartitioning partition_as_asked(const comm::Communicator* communicator, const Options& options,
                                      const Entries& entries, const Shape& shape, int parts);

}  // namespace kasen::partition
