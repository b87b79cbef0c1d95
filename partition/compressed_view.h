/// @file
/// Struct CompressedView: a view of a local matrix that is compressed along one of its sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kasen/base/ids.h"

namespace kasen::partition {

/// Entries [pointer[j], pointer[j + 1]) belong to output j, in ascending order of the input's local index; entries of
/// one input keep the order in which they arrived.
struct CompressedView {
  std::span<const std::uint64_t> pointer;  ///< outputs + 1
  std::span<const LocalIndex> index;       ///< local index of the input
  const std::byte* value = nullptr;        ///< packed, parallel to index; null for Pattern
};

}  // namespace kasen::partition
