#include "partition/matrix_batches.h"

#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

namespace kasen::partition {

Entries entries_of(LocalMatrix& matrix, const IndexSpace& rows, const IndexSpace& columns) {
  Entries entries;
  entries.value_bytes = matrix.value_bytes();
  entries.row.reserve(matrix.nonzeros());
  entries.column.reserve(matrix.nonzeros());
  entries.value.resize(matrix.nonzeros() * matrix.value_bytes());
  const std::span<const GlobalIndex> row = rows.global(), column = columns.global();
  if (const DenseBlock* const block = matrix.dense()) {
    for (LocalIndex i = 0; i < block->rows; ++i) {
      for (LocalIndex j = 0; j < block->columns; ++j) {
        entries.row.push_back(row[i]);
        entries.column.push_back(column[j]);
      }
    }
    entries.value = block->value;
    return entries;
  }
  const CompressedView view = matrix.by_row();
  for (std::size_t i = 0; i + 1 < view.pointer.size(); ++i) {
    for (std::uint64_t k = view.pointer[i]; k < view.pointer[i + 1]; ++k) {
      entries.row.push_back(row[i]);
      entries.column.push_back(column[view.index[k]]);
    }
  }
  if (view.value != nullptr) std::memcpy(entries.value.data(), view.value, entries.value.size());
  return entries;
}

Entries in_batches(const Entries& entries, BatchNumber batches, std::uint64_t size) {
  const auto end = static_cast<GlobalIndex>(size * batches);
  std::size_t kept = 0;
  for (const GlobalIndex row : entries.row) kept += row < end ? 1 : 0;
  const std::uint32_t bytes = entries.value_bytes, with_number = bytes + sizeof(BatchNumber);
  Entries some;
  some.value_bytes = with_number;
  some.batches = batches;
  some.row.reserve(kept);
  some.column.reserve(kept);
  some.value.resize(kept * with_number);
  std::byte* to = some.value.data();
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const GlobalIndex row = entries.row[k];
    if (row >= end) continue;
    const auto number = static_cast<BatchNumber>(row % batches);
    some.row.push_back(row / batches);
    some.column.push_back(entries.column[k]);
    std::memcpy(to, &number, sizeof number);
    if (bytes > 0) std::memcpy(to + sizeof number, entries.value.data() + k * bytes, bytes);
    to += with_number;
  }
  return some;
}

std::vector<BatchNumber> take_numbers(Entries& entries) {
  const std::uint32_t with_number = entries.value_bytes, bytes = with_number - sizeof(BatchNumber);
  std::vector<BatchNumber> numbers(entries.value.size() / with_number);
  std::byte* to = entries.value.data();
  const std::byte* from = to;
  for (BatchNumber& number : numbers) {
    std::memcpy(&number, from, sizeof number);
    if (bytes > 0) std::memmove(to, from + sizeof number, bytes);
    to += bytes;
    from += with_number;
  }
  entries.value.resize(numbers.size() * bytes);
  entries.value_bytes = bytes;
  return numbers;
}

}  // namespace kasen::partition
