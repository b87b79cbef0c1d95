/// @file
/// What readers of matrices share: non-zeros as they come, and rows on their way to blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"

namespace kasen::io {

/// Appends a non-zero; its value, double, if `entries` have values.
inline void append(Entries& entries, GlobalIndex row, GlobalIndex column, double value) {
  entries.row.push_back(row);
  entries.column.push_back(column);
  if (entries.value_bytes == 0) return;
  const std::size_t at = entries.value.size();
  entries.value.resize(at + sizeof value);
  std::memcpy(entries.value.data() + at, &value, sizeof value);
}

/// Non-zeros without any, with values as asked for.
Entries no_entries(const ValueRequest& values);

/// Local. Of files whose numbers are no text. @throws InputError "PATH: expected ..." with the place of the value
void check_value(const std::string& path, double value, std::uint64_t row, std::uint64_t column,
                 const NumberRule& rule);

/// Collective. From consecutive rows of each worker, in the order of the workers, to blocks of rows
/// (partition::Assignment::block). `width` values make a row.
std::vector<double> to_row_blocks(const comm::Communicator& communicator, std::vector<double> values,
                                  std::uint64_t width);

/// Collective. Every element of a dense matrix, given once, to blocks of rows. Memory: 24 bytes an element on the way.
DenseData to_dense(const comm::Communicator& communicator, Entries elements, std::uint64_t rows, std::uint64_t columns);

/// Collective. Vertices that a file numbers from `first` on, named so.
VertexIds numbered_vertices(const comm::Communicator& communicator, std::uint64_t vertices, std::int64_t first);

}  // namespace kasen::io
