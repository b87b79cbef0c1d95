/// @file
/// Hashes of data that do not depend on which worker has what: sums, modulo 2^64, of what each worker adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kasen/base/entries.h"

namespace kasen::checkpoint {

/// What this worker's elements add, of which the first has this index. Cost: one or two ns for 8 bytes.
std::uint64_t hash_of_elements(std::span<const std::byte> elements, std::uint64_t element_bytes, std::uint64_t first);

/// What this worker's rows of a matrix without zeros add, row by row, of which the first has this index: as entries do.
std::uint64_t hash_of_rows(std::span<const std::byte> values, std::uint64_t value_bytes, std::uint64_t first_row,
                           std::uint64_t columns);

/// What this worker's entries add.
std::uint64_t hash_of_entries(const Entries& entries);

}  // namespace kasen::checkpoint
