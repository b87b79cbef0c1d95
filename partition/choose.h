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
#include "partition/partitioner.h"

namespace kasen::partition {

/// The largest imbalance of the load up to which automatic choice admits candidates.
inline constexpr double kMostImbalance = 1.1;
/// Up to so many non-zeros, worker 0 runs label propagation alone: messages would take longer than the work.
inline constexpr std::uint64_t kMostOnOneWorker = 500'000;
/// The largest number of parts for which automatic choice tries label propagation, whose work for METIS grows with it.
inline constexpr int kMostPropagationParts = 256;

/// Ranges are taken at once where no more than one non-zero in so many, elements counted with their load, leaves its
/// own.
inline constexpr std::uint64_t kLoadPerNonzeroApart = 32;

struct ChosenPartitioning {
  Partitioning partitioning;
  std::vector<PartitionCandidate> candidates;  ///< empty if there was nothing to choose from
  double seconds = 0;                          ///< that comparing them took on this worker
};

/// Collective; local if `communicator` is null, and `entries` then are all there are. Chooses automatically. Equal on
/// all workers, whatever the spread of the entries.
/// Over one space, ranges are taken at once if few non-zeros leave theirs (kLoadPerNonzeroApart) and they are balanced.
/// Candidates otherwise: block; range and range-column; row, column and hybrid-cut with thresholds 10, 30, 100, 300 and
/// 1000; 2d and range-2d if the grid has more than one column; label propagation, beyond kMostOnOneWorker
/// non-zeros given up early where it finds no clusters (partition_if_clustered()). The fewest row and column replicas
/// win, the first one where equal, among those whose load, of non-zeros and kElementLoad an element, is no more
/// imbalanced than kMostImbalance; if there are none, the least imbalanced. Where the owners of a space are fixed, only
/// what fits them is tried. A matrix without zeros is cut into blocks of rows, and over one part there is nothing to
/// choose. Cost: see tally.h and label_propagation.h.
ChosenPartitioning choose_partitioning(const comm::Communicator* communicator, const Entries& entries,
                                       const Shape& shape, int parts);

/// Collective; local if `communicator` is null. The partitioner's decision; equal on all workers. If it needs the
/// pattern, that is gathered on worker 0, and owners are broadcast. @throws InputError (agreed)
Partitioning run_partitioner(const comm::Communicator* communicator, const Partitioner& partitioner,
                             const Entries& entries, const Shape& shape, int parts);

/// Collective; local if `communicator` is null, and `entries` then are all there are. What a partitioning leads to.
PartitionCandidate measured(const comm::Communicator* communicator, const Entries& entries, const Shape& shape,
                            std::string name, const Partitioning& partitioning);

/// Collective; local if `communicator` is null. The partition that the options ask for, or the automatic choice.
ChosenPartitioning partition_as_asked(const comm::Communicator* communicator, const Options& options,
                                      const Entries& entries, const Shape& shape, int parts);

}  // namespace kasen::partition
