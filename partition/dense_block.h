/// @file
/// Struct DenseBlock: the dense storage of a local matrix that has an entry everywhere, values only, row by row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "kasen/base/ids.h"
#include "kasen/base/raw_vector.h"

namespace kasen::partition {

/// Entry (i, j) of local rows [0, rows) and local columns [0, columns) is at value[(i * columns + j) * value_bytes].
/// Further local rows and columns have no entries.
struct DenseBlock {
  LocalIndex rows = 0, columns = 0;
  RawVector<std::byte> value;
};

/// The rectangle [0, rows) x [0, columns) of local rows and columns of which entries hold every element exactly once.
/// None if they hold no such rectangle; of no entries it is empty. Cost: one bit an entry.
struct Rectangle {
  LocalIndex rows = 0, columns = 0;
};
std::optional<Rectangle> rectangle_filled(std::span<const LocalIndex> row, std::span<const LocalIndex> column);

/// The dense storage of entries that fill `rectangle`; values are moved if they come row by row.
DenseBlock dense_block(Rectangle rectangle, std::span<const LocalIndex> row, std::span<const LocalIndex> column,
                       RawVector<std::byte> value, std::uint32_t value_bytes);

}  // namespace kasen::partition
