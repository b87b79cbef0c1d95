/// @file
/// Structs Compressed and CompressedView: a local matrix that is compressed along one of its sides, and a view of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kasen/base/ids.h"
#include "kasen/base/large_pages.h"
#include "kasen/base/raw_vector.h"

namespace kasen::partition {

/// Entries [pointer[j], pointer[j + 1]) belong to output j, in ascending order of the input's local index; entries of
/// one input keep the order in which they arrived.
struct CompressedView {
  std::span<const std::uint64_t> pointer;  ///< outputs + 1
  std::span<const LocalIndex> index;       ///< local index of the input
  const std::byte* value = nullptr;        ///< packed, parallel to index; null for Pattern
};

struct Compressed {
  LargeVector<std::uint64_t> pointer;
  RawVector<LocalIndex> index;
  RawVector<std::byte> value;
};

}  // namespace kasen::partition
