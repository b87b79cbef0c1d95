/// @file
/// Struct DenseRows: a worker's rows of a matrix without zeros as they were read, where no entry needs an index.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kasen/base/entries.h"
#include "kasen/base/ids.h"
#include "kasen/base/raw_vector.h"

namespace kasen::partition {

/// This worker's block of the rows (Assignment::block), row by row, values packed.
struct DenseRows {
  RawVector<std::byte> value;
  std::uint32_t value_bytes = 0;  ///< the same on every worker
};

/// The rows as entries, which take 8 bytes an element more. Local.
Entries entries_of(DenseRows rows, GlobalIndex first_row, std::uint64_t columns);

}  // namespace kasen::partition
