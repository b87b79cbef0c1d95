/// @file
/// Redistribution of entries to the workers of their rows, where they are counted into rows and sorted within each.
#include "kasen/io/data/row_block.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/release.h"
#include "partition/assignment.h"
#include "partition/distribute.h"

namespace kasen::io {

namespace {

/// Sorts one row's entries by column; equal ones stay in order.
void sort_row(std::span<GlobalIndex> column, std::span<double> value) {
  if (std::is_sorted(column.begin(), column.end())) return;
  if (value.empty()) {
    std::sort(column.begin(), column.end());
    return;
  }
  std::vector<std::pair<GlobalIndex, double>> row(column.size());
  for (std::size_t k = 0; k < row.size(); ++k) row[k] = {column[k], value[k]};
  std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < row.size(); ++k) std::tie(column[k], value[k]) = row[k];
}

}  // namespace

std::vector<GlobalIndex> RowBlock::rows_of_entries() const {
  std::vector<GlobalIndex> entries(column.size());
  for (std::uint64_t r = 0; r < rows(); ++r) {
    std::fill(entries.begin() + static_cast<std::ptrdiff_t>(begin[r]),
              entries.begin() + static_cast<std::ptrdiff_t>(begin[r + 1]), static_cast<GlobalIndex>(first + r));
  }
  return entries;
}

RowBlock to_row_block(const comm::Communicator& communicator, Entries entries, std::uint64_t rows,
                      std::uint64_t columns) {
  const auto blocks = partition::Assignment::block(rows, communicator.size());
  std::vector<Rank> owner(entries.row.size());
  comm::agree(communicator, [&] {
    const bool values = entries.value_bytes > 0;
    if (values && entries.value_bytes != sizeof(double)) throw InternalError("values to write must be double");
    if (entries.column.size() != owner.size() || entries.value.size() != owner.size() * entries.value_bytes) {
      throw InternalError("entries to write have rows, columns and values of different lengths");
    }
    for (std::size_t k = 0; k < owner.size(); ++k) {
      const GlobalIndex row = entries.row[k], column = entries.column[k];
      if (row < 0 || static_cast<std::uint64_t>(row) >= rows || column < 0 ||
          static_cast<std::uint64_t>(column) >= columns) {
        throw InternalError("an entry to write is outside the matrix");
      }
      owner[k] = blocks.owner(row);
    }
  });
  entries = partition::distribute(communicator, std::move(entries), owner);
  release(owner);

  RowBlock block;
  block.first = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank()));
  const auto end = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1));
  block.begin.resize(end - block.first + 1);
  for (const GlobalIndex row : entries.row) ++block.begin[static_cast<std::uint64_t>(row) - block.first + 1];
  std::partial_sum(block.begin.begin(), block.begin.end(), block.begin.begin());
  std::vector<std::uint64_t> next(block.begin.begin(), block.begin.end() - 1), place(entries.row.size());
  for (std::size_t k = 0; k < place.size(); ++k) {
    place[k] = next[static_cast<std::uint64_t>(entries.row[k]) - block.first]++;
  }
  release(entries.row);
  block.column.resize(place.size());
  for (std::size_t k = 0; k < place.size(); ++k) block.column[place[k]] = entries.column[k];
  release(entries.column);
  if (entries.value_bytes > 0) {
    block.value.resize(place.size());
    for (std::size_t k = 0; k < place.size(); ++k) {
      std::memcpy(&block.value[place[k]], &entries.value[k * sizeof(double)], sizeof(double));
    }
  }
  for (std::uint64_t r = 0; r < block.rows(); ++r) {
    const std::uint64_t from = block.begin[r], count = block.begin[r + 1] - from;
    sort_row(std::span(block.column).subspan(from, count),
             block.value.empty() ? std::span<double>() : std::span(block.value).subspan(from, count));
  }
  return block;
}

}  // namespace kasen::io
