/// @file
/// Struct RowBlock: the entries of a worker's block of rows in the order of files, by row, then by column.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/ids.h"

namespace kasen::io {

/// This worker's block of rows (partition::Assignment::block), each with its entries by column.
struct RowBlock {
  std::uint64_t first = 0;           ///< the number of the first row
  std::vector<std::uint64_t> begin;  ///< by row: its first entry; then the number of entries
  std::vector<GlobalIndex> column;
  std::vector<double> value;  ///< empty for a pattern
  std::uint64_t rows() const { return begin.size() - 1; }
  /// The row of each entry, for formats that list entries.
  std::vector<GlobalIndex> rows_of_entries() const;
};

/// Collective. Redistributes entries, of which each worker has any part in any order, into blocks of rows; duplicates
/// stay, in the order they had over the workers. @param entries value_bytes 8 or 0. @throws AgreedError if
/// an index is out of range. Cost: see partition::distribute, and a sort of every row that is not in order.
RowBlock to_row_block(const comm::Communicator& communicator, Entries entries, std::uint64_t rows,
                      std::uint64_t columns);

}  // namespace kasen::io
