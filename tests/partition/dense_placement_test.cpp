/// @file
/// Matrices in which every element is an entry: how they are found, spread and stored.
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "partition/placement.h"

namespace kasen::partition {
namespace {

constexpr std::uint64_t kHeight = 23, kWidth = 6;

double element(GlobalIndex row, GlobalIndex column) { return static_cast<double>(100 * row + column); }

void append(RawVector<std::byte>& to, double value) {
  const auto* bytes = reinterpret_cast<const std::byte*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

/// All elements but the last `left_out`, dealt out one by one in no order.
Entries entries(const comm::Communicator& communicator, std::uint64_t left_out = 0) {
  Entries mine;
  mine.value_bytes = sizeof(double);
  const auto workers = static_cast<std::uint64_t>(communicator.size());
  for (std::uint64_t k = 0; k < kHeight * kWidth; ++k) {
    const std::uint64_t at = k * 59 % (kHeight * kWidth);  // 59 divides neither
    if (k % workers != static_cast<std::uint64_t>(communicator.rank()) || at >= kHeight * kWidth - left_out) continue;
    const auto row = static_cast<GlobalIndex>(at / kWidth), column = static_cast<GlobalIndex>(at % kWidth);
    mine.row.push_back(row);
    mine.column.push_back(column);
    append(mine.value, element(row, column));
  }
  return mine;
}

DenseRows rows(const comm::Communicator& communicator) {
  const Assignment blocks = Assignment::block(kHeight, communicator.size());
  DenseRows mine{{}, sizeof(double)};
  for (GlobalIndex i = blocks.block_begin(communicator.rank()); i < blocks.block_begin(communicator.rank() + 1); ++i) {
    for (std::uint64_t j = 0; j < kWidth; ++j) append(mine.value, element(i, static_cast<GlobalIndex>(j)));
  }
  return mine;
}

/// Every element of the block is where the local numbers say, and all workers together have all.
void expect_dense(const comm::Communicator& communicator, const Placement& placement, MatrixId id) {
  const PlacementStats::Matrix& stats = placement.stats().matrices.at(index_of(id));
  EXPECT_TRUE(stats.dense);
  EXPECT_EQ(stats.nonzeros, kHeight * kWidth);
  EXPECT_EQ(stats.value_bytes, sizeof(double));
  const DenseBlock* block = placement.matrix(id).dense();
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(communicator.sum(std::uint64_t{block->rows} * block->columns), kHeight * kWidth);
  const auto& of_rows = placement.space(stats.rows).global();
  const auto& of_columns = placement.space(stats.columns).global();
  for (LocalIndex i = 0; i < block->rows; ++i) {
    for (LocalIndex j = 0; j < block->columns; ++j) {
      double value;
      std::memcpy(&value, &block->value[(std::size_t{i} * block->columns + j) * sizeof value], sizeof value);
      EXPECT_EQ(value, element(of_rows[i], of_columns[j]));
    }
  }
}

TEST(DensePlacement, IsFoundUnderEveryPartition) {
  const comm::Communicator communicator;
  for (const Partition partition : {Partition::automatic, Partition::block, Partition::range, Partition::range_column,
                                    Partition::range_grid, Partition::row, Partition::column, Partition::hybrid_cut,
                                    Partition::grid, Partition::metis, Partition::label_propagation}) {
    for (const Numbering numbering : {Numbering::index, Numbering::degree}) {
      for (const bool as_rows : {false, true}) {
        Options options;
        options.partition = partition;
        options.numbering = numbering;
        options.threshold = 10;
        Placement placement(communicator, options);
        const SpaceId of_rows = placement.space(kHeight), of_columns = placement.space(kWidth);
        const MatrixId id = as_rows ? placement.add_matrix(of_rows, of_columns, rows(communicator))
                                    : placement.add_matrix(of_rows, of_columns, entries(communicator));
        expect_dense(communicator, placement, id);
        if (partition == Partition::automatic) {
          EXPECT_EQ(placement.space(of_rows).assignment(), Assignment::block(kHeight, communicator.size()));
          EXPECT_EQ(placement.stats().of(of_rows, {{id, Role::Side::row}}).replicas, 0u);
        }
        placement.count_blocks(id, Role::Side::row);
        EXPECT_FALSE(placement.stats().matrices.at(index_of(id)).by_row.counted);
      }
    }
  }
}

TEST(DensePlacement, IsNotWhatLacksAnEntryOrIsToBeCompressed) {
  const comm::Communicator communicator;
  for (const bool as_asked : {false, true}) {
    Options options;
    if (as_asked) options.storage = Storage::compressed;
    Placement placement(communicator, options);
    const SpaceId of_rows = placement.space(kHeight), of_columns = placement.space(kWidth);
    const MatrixId id = placement.add_matrix(of_rows, of_columns, entries(communicator, as_asked ? 0 : 1));
    EXPECT_FALSE(placement.stats().matrices.at(index_of(id)).dense);
    EXPECT_EQ(placement.matrix(id).by_row().pointer.size(), std::size_t{placement.space(of_rows).local_size()} + 1);
    if (!as_asked) continue;
    const MatrixId as_rows = placement.add_matrix(of_rows, of_columns, rows(communicator));
    EXPECT_FALSE(placement.stats().matrices.at(index_of(as_rows)).dense);
  }
}

/// Rows follow owners that are there already: then they are sent after all.
TEST(DensePlacement, OfRowsOverSpacesOfOthers) {
  const comm::Communicator communicator;
  for (const bool hashed : {false, true}) {
    Placement placement(communicator, Options{});
    const SpaceId of_rows = placement.space(kHeight), of_columns = placement.space(kWidth);
    placement.assign(of_columns, Assignment::hash(kWidth, communicator.size()));
    if (hashed) placement.assign(of_rows, Assignment::hash(kHeight, communicator.size()));
    const MatrixId first = placement.add_matrix(of_rows, of_columns, rows(communicator));
    const MatrixId second = placement.add_matrix(of_rows, of_columns, rows(communicator));
    expect_dense(communicator, placement, first);
    expect_dense(communicator, placement, second);
  }
}

TEST(DensePlacement, RowsThatAreNotTheBlockAreRefused) {
  const comm::Communicator communicator;
  Placement placement(communicator, Options{});
  DenseRows mine = rows(communicator);
  if (communicator.rank() == 0) mine.value.pop_back();
  EXPECT_THROW(placement.add_matrix(placement.space(kHeight), placement.space(kWidth), std::move(mine)), Error);
}

}  // namespace
}  // namespace kasen::partition
