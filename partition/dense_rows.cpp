#include "partition/dense_rows.h"

#include <utility>

namespace kasen::partition {

Entries entries_of(DenseRows rows, GlobalIndex first_row, std::uint64_t columns) {
  Entries entries;
  const std::uint64_t count = rows.value.size() / rows.value_bytes;
  entries.row.reserve(count);
  entries.column.reserve(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    entries.row.push_back(first_row + static_cast<GlobalIndex>(k / columns));
    entries.column.push_back(static_cast<GlobalIndex>(k % columns));
  }
  entries.value = std::move(rows.value);
  entries.value_bytes = rows.value_bytes;
  return entries;
}

}  // namespace kasen::partition
