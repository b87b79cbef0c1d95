/// @file
/// Tools that readers of matrices share: appending and checking entries, and redistribution into blocks of rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "partition/assignment.h"

namespace kasen::io {

/// Appends a non-zero, with its value as a double if `entries` have values.
inline void append(Entries& entries, GlobalIndex row, GlobalIndex column, double value) {
  entries.row.push_back(row);
  entries.column.push_back(column);
  if (entries.value_bytes == 0) return;
  const std::size_t at = entries.value.size();
  entries.value.resize(at + sizeof value);
  std::memcpy(entries.value.data() + at, &value, sizeof value);
}

/// Empty entries, with values as asked for.
Entries no_entries(const ValueRequest& values);

/// Local. Checks a value of a binary file. @throws InputError "PATH: expected ..." with the place of the value
void check_value(const std::string& path, double value, std::uint64_t row, std::uint64_t column,
                 const NumberRule& rule);

/// Collective. Redistributes consecutive rows of each worker, in the order of the workers, into blocks of rows
/// (partition::Assignment::block). `width` values make a row.
template <class T>
std::vector<T> to_row_blocks(const comm::Communicator& communicator, std::vector<T> values, std::uint64_t width) {
  const std::uint64_t mine = width == 0 ? 0 : values.size() / width;
  const std::uint64_t first = communicator.exclusive_sum(mine);
  const auto blocks = partition::Assignment::block(communicator.sum(mine), communicator.size());
  std::vector<std::uint64_t> offsets;
  for (Rank w = 0; w <= communicator.size(); ++w) {
    offsets.push_back((std::clamp(static_cast<std::uint64_t>(blocks.block_begin(w)), first, first + mine) - first) *
                      width);
  }
  return communicator.all_to_all(std::span<const T>(values), std::span<const std::uint64_t>(offsets)).values;
}

/// Collective. Redistributes the elements of a dense matrix, each given once, into blocks. Memory: 16 bytes an element.
DenseData to_dense(const comm::Communicator& communicator, Entries elements, std::uint64_t rows, std::uint64_t columns);

/// Collective. The ids of vertices that a file numbers from `first` on.
VertexIds numbered_vertices(const comm::Communicator& communicator, std::uint64_t vertices, std::int64_t first);

}  // namespace kasen::io
