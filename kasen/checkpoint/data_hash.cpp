#include "kasen/checkpoint/data_hash.h"

#include "kasen/base/random.h"

namespace kasen::checkpoint {

std::uint64_t hash_of_elements(std::span<const std::byte> elements, std::uint64_t element_bytes, std::uint64_t first) {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; element_bytes > 0 && k < elements.size() / element_bytes; ++k)
    sum += random_bits_of(elements.subspan(k * element_bytes, element_bytes), first + k + 1);
  return sum;
}

std::uint64_t hash_of_rows(std::span<const std::byte> values, std::uint64_t value_bytes, std::uint64_t first_row,
                           std::uint64_t columns) {
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; value_bytes > 0 && k < values.size() / value_bytes; ++k) {
    const std::uint64_t place = random_bits(first_row + k / columns, k % columns);
    sum += random_bits_of(values.subspan(k * value_bytes, value_bytes), place);
  }
  return sum;
}

std::uint64_t hash_of_entries(const Entries& entries) {
  std::uint64_t sum = 0;
  const std::span<const std::byte> values(entries.value);
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const std::uint64_t place =
        random_bits(static_cast<std::uint64_t>(entries.row[k]), static_cast<std::uint64_t>(entries.column[k]));
    sum += random_bits_of(values.subspan(k * entries.value_bytes, entries.value_bytes), place);
  }
  return sum;
}

}  // namespace kasen::checkpoint
