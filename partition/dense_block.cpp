#include "partition/dense_block.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "comm/free_memory.h"

namespace kasen::partition {
namespace {

/// Does into[position of k] = from[k].
template <class Bytes>
void scatter(std::span<const LocalIndex> row, std::span<const LocalIndex> column, std::uint64_t columns,
             const std::byte* from, std::byte* into, Bytes bytes) {
  for (std::size_t k = 0; k < row.size(); ++k)
    std::memcpy(into + (std::uint64_t{row[k]} * columns + column[k]) * bytes, from + k * bytes, bytes);
}

}  // namespace

std::optional<Rectangle> rectangle_filled(std::span<const LocalIndex> row, std::span<const LocalIndex> column) {
  if (row.empty()) return Rectangle{};
  const std::uint64_t rows = std::uint64_t{*std::max_element(row.begin(), row.end())} + 1;
  const std::uint64_t columns = std::uint64_t{*std::max_element(column.begin(), column.end())} + 1;
  if (row.size() % rows != 0 || row.size() / rows != columns) return std::nullopt;
  std::vector<bool> seen(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::uint64_t at = row[k] * columns + column[k];
    if (seen[at]) return std::nullopt;
    seen[at] = true;
  }
  return Rectangle{static_cast<LocalIndex>(rows), static_cast<LocalIndex>(columns)};
}

DenseBlock dense_block(Rectangle rectangle, std::span<const LocalIndex> row, std::span<const LocalIndex> column,
                       RawVector<std::byte> value, std::uint32_t value_bytes) {
  DenseBlock block{rectangle.rows, rectangle.columns, {}};
  const std::uint64_t columns = rectangle.columns;
  bool in_order = true;
  for (std::size_t k = 0; k < row.size() && in_order; ++k) in_order = row[k] * columns + column[k] == k;
  if (in_order) {
    block.value = std::move(value);
    comm::move_to_large_pages(block.value);
    return block;
  }
  block.value.resize(value.size());
  if (value_bytes == sizeof(double)) {
    scatter(row, column, columns, value.data(), block.value.data(),
            std::integral_constant<std::size_t, sizeof(double)>());
  } else {
    scatter(row, column, columns, value.data(), block.value.data(), std::size_t{value_bytes});
  }
  return block;
}

}  // namespace kasen::partition
