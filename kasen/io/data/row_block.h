/// @file
/// The entries of a matrix by rows, in the order of files.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/ids.h"

namespace kasen::io {

/// This worker's block of rows (partition::Assignment::block), each with its entries by column.
struct RowBlock {
  std::uint64_t first = 0;           ///< row of the first
  std::vector<std::uint64_t> begin;  ///< of each row among the entries, and the end
  std::vector<GlobalIndex> column;
  std::vector<double> value;  ///< none: a pattern
  std::uint64_t rows() const { return begin.size() - 1; }
  /// The row of each entry, for formats that list entries.
  std::vector<GlobalIndex> rows_of_entries() const;
};

/// Collective. Entries in any order, of which each worker has any part, by rows; duplicates stay, in the order they had
/// over the workers. @param entries value_bytes 8 or 0. @throws InternalError (agreed) if an index is out of range.
/// Cost: see partition::distribute, and a sort of every row that is not in order.
RowBlock to_row_block(const comm::Communicator& communicator, Entries entries, std::uint64_t rows,
                      std::uint64_t columns);

}  // namespace kasen::io
