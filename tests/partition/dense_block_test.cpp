/// @file
/// Which entries fill a rectangle, and how they are stored then.
#include "partition/dense_block.h"

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "kasen/base/error.h"
#include "partition/local_matrix.h"

namespace kasen::partition {
namespace {

using Places = std::vector<std::pair<LocalIndex, LocalIndex>>;

/// Values tell the position.
LocalMatrix stored(const Places& places, std::uint32_t value_bytes) {
  RawVector<LocalIndex> row, column;
  RawVector<std::byte> value;
  for (const auto& [i, j] : places) {
    row.push_back(i);
    column.push_back(j);
    for (std::uint32_t b = 0; b < value_bytes; ++b) value.push_back(static_cast<std::byte>(i * 100 + j * 10 + b));
  }
  const auto filled = rectangle_filled(row, column);
  if (!filled) return {9, 9, std::move(row), std::move(column), std::move(value), value_bytes};
  return {9, 9, dense_block(*filled, row, column, std::move(value), value_bytes), value_bytes};
}

TEST(DenseBlock, HoldsEveryElementOfARectangle) {
  const Places in_order{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}},
      mixed{{1, 2}, {0, 0}, {1, 0}, {0, 2}, {1, 1}, {0, 1}};
  for (const Places& places : {in_order, mixed}) {
    for (const std::uint32_t value_bytes : {1u, 3u, 8u}) {
      LocalMatrix matrix = stored(places, value_bytes);
      matrix.covering(20, 30);
      const DenseBlock* block = matrix.dense();
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(block->rows, 2u);
      EXPECT_EQ(block->columns, 3u);
      EXPECT_EQ(matrix.nonzeros(), 6u);
      ASSERT_EQ(block->value.size(), 6 * value_bytes);
      for (std::size_t k = 0; k < block->value.size(); ++k) {
        const std::size_t at = k / value_bytes;
        EXPECT_EQ(block->value[k], static_cast<std::byte>(at / 3 * 100 + at % 3 * 10 + k % value_bytes));
      }
      EXPECT_THROW((void)matrix.by_row(), InternalError);
    }
  }
}

TEST(DenseBlock, IsNotWhatHasGapsOrDuplicates) {
  EXPECT_EQ(stored({{0, 0}, {0, 1}, {1, 0}}, 8).dense(), nullptr);
  EXPECT_EQ(stored({{0, 0}, {0, 1}, {1, 0}, {1, 0}}, 8).dense(), nullptr);
  EXPECT_EQ(stored({{0, 0}, {2, 0}}, 8).dense(), nullptr);
  EXPECT_EQ(stored({{1, 1}}, 8).dense(), nullptr);
  EXPECT_NE(stored({{0, 0}}, 8).dense(), nullptr);
  EXPECT_NE(stored({}, 8).dense(), nullptr);  // of a worker without rows
}

}  // namespace
}  // namespace kasen::partition
