/// @file
/// The memory that a matrix takes on its way into a placement, by its size, for comm::MemoryNeeds.
#pragma once

#include <cstdint>

#include "comm/memory_limit.h"
#include "kasen/base/ids.h"
#include "kasen/base/placement_stats.h"

namespace kasen::partition {

/// What is known of a matrix before it is read or placed.
struct MatrixSize {
  std::uint64_t rows = 0, columns = 0, entries = 0;
  std::uint64_t value_bytes = 0;  ///< as its entries have them on their way; 0 for Pattern
  bool one_space = false;         ///< rows and columns are the same elements

  std::uint64_t elements() const { return one_space ? rows : rows + columns; }
  std::uint64_t bytes_of_entry() const;
};

/// Local. Adds the entries as readers have them, in equal shares.
void add_entries(const MatrixSize& matrix, comm::MemoryNeeds& needs);
/// Local. Adds what comes beside the entries until the matrix is there in its storages for both directions: entries
/// that are more on one worker than on another, values and owners on their way, and numbers for each element that a
/// worker has or replicates, which it does at most once for each entry.
void add_placing(const MatrixSize& matrix, comm::MemoryNeeds& needs);
/// Local. Adds the pointers of all rows of a matrix in batches, which have as many rows each as `matrix` says.
void add_batches(const MatrixSize& matrix, std::uint32_t batches, comm::MemoryNeeds& needs);
/// Local. Adds what METIS takes, which one worker runs on the whole pattern.
void add_metis(const MatrixSize& matrix, comm::MemoryNeeds& needs);
/// Local. Adds what label propagation takes for a worker's share of the pattern.
void add_label_propagation(const MatrixSize& matrix, comm::MemoryNeeds& needs);
/// Local. Adds the owners of all elements, which every worker has where they are a table.
void add_table(const MatrixSize& matrix, comm::MemoryNeeds& needs);

/// Local. Adds what it takes that every worker holds all elements of a space.
void add_everywhere(std::uint64_t length, comm::MemoryNeeds& needs);
/// Local. The most replicas that a worker of so many can have in a space: an entry has one at each of its ends, and
/// keys have all elements everywhere.
std::uint64_t most_replicas(const PlacementStats& stats, SpaceId space, std::uint64_t workers);

}  // namespace kasen::partition
