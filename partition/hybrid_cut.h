/// @file
/// Hybrid-cut (PowerLyra), which says to which part a non-zero goes: the non-zeros of a column with few of them are
/// kept together beside the column's master, those of a column with many are spread over the masters of their rows.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/global_indices.h"
#include "kasen/base/ids.h"
#include "partition/assignment.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {

/// A threshold that no column exceeds: every non-zero goes to the owner of its column.
inline constexpr std::uint64_t kNoThreshold = std::numeric_limits<std::uint64_t>::max();

/// Collective. The high columns: those of `columns` that have more than `threshold` entries on all workers together,
/// duplicates counted; ascending, distinct. `threshold` is equal on all workers. Cost: one (column, count) pair to its
/// owner for each distinct column of a worker, the high ones sent back, in rounds of 131,072 columns or, if these would
/// be more than 64, so many; nothing is sent where the threshold is 0 or kNoThreshold.
std::vector<GlobalIndex> high_columns(const comm::Communicator& communicator, GlobalIndexView columns,
                                      const Assignment& owners, std::uint64_t threshold);

/// Local. The part of each entry: if its column is high the owner of its row, else the owner of its column.
std::vector<Rank> hybrid_cut(GlobalIndexView rows, GlobalIndexView columns, const IndexSet& high,
                             const Assignment& row_owners, const Assignment& column_owners);

/// Local. The part of each entry if all columns are high, or rows are cut into blocks: the owner of its row.
std::vector<Rank> cut_by_row(GlobalIndexView rows, const Assignment& row_owners);

}  // namespace kasen::partition
