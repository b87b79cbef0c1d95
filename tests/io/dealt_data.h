/// @file
/// What every worker knows, dealt out to the workers, for writers to bring together again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "partition/assignment.h"
#include "tests/io/all_data.h"

namespace kasen::io {

/// This worker's block of a list that every worker has, in rows of `width`.
template <class T>
std::vector<T> block_of(const comm::Communicator& communicator, const std::vector<T>& all, std::uint64_t width = 1) {
  const auto blocks = partition::Assignment::block(all.size() / width, communicator.size());
  const auto place = [&](Rank worker) { return all.begin() + blocks.block_begin(worker) * static_cast<long>(width); };
  return {place(communicator.rank()), place(communicator.rank() + 1)};
}

/// Entries that every worker has, dealt out in runs; of several workers the last one gets none.
inline SparseData sparse_of(const comm::Communicator& communicator, std::uint64_t rows, std::uint64_t columns,
                            const std::vector<Triple>& entries, bool values = true) {
  SparseData data;
  data.rows = rows;
  data.columns = columns;
  data.entries.value_bytes = values ? sizeof(double) : 0;
  const std::size_t takers = communicator.size() > 1 ? static_cast<std::size_t>(communicator.size()) - 1 : 1;
  const std::size_t share = entries.size() / takers + 1;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (k / share != static_cast<std::size_t>(communicator.rank())) continue;
    const auto& [row, column, value] = entries[k];
    data.entries.row.push_back(row);
    data.entries.column.push_back(column);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    if (values) data.entries.value.insert(data.entries.value.end(), bytes, bytes + sizeof value);
  }
  return data;
}

}  // namespace kasen::io
