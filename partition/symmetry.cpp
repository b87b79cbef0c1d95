#include "partition/symmetry.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "kasen/base/random.h"

namespace kasen::partition {

std::uint64_t asymmetry(const Entries& entries) {
  std::uint64_t sum = 0;
  const std::span<const std::byte> values(entries.value);
  const std::uint32_t bytes = entries.value_bytes;
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const auto row = static_cast<std::uint64_t>(entries.row[k]), column = static_cast<std::uint64_t>(entries.column[k]);
    std::uint64_t entry = random_bits(std::min(row, column), std::max(row, column));
    if (bytes > 0) entry = random_bits_of(values.subspan(k * bytes, bytes), entry);
    sum += (std::uint64_t{row < column} - std::uint64_t{row > column}) * entry;  // without a branch
  }
  return sum;
}

}  // namespace kasen::partition
