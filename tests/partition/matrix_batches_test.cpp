/// @file
/// Matrices in batches, from the entries of a matrix that is placed to those of each batch on every worker.
#include "partition/matrix_batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "partition/placement.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

/// Batch, row in the batch, column, and the value, which says which edge it is.
using Found = std::array<std::uint64_t, 4>;

std::vector<Found> gathered(const comm::Communicator& communicator, const std::vector<Found>& mine) {
  std::vector<Found> all = communicator.all_gather(std::span<const Found>(mine)).values;
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Found> expected(const tests::Edges& edges, std::uint64_t batches, std::uint64_t size, bool values) {
  std::vector<Found> all;
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    const auto row = static_cast<std::uint64_t>(edges.source[k]);
    if (row < size * batches)
      all.push_back({row % batches, row / batches, static_cast<std::uint64_t>(edges.target[k]), values ? k : 0});
  }
  std::sort(all.begin(), all.end());
  return all;
}

/// Of every batch what this worker has, by the pointers of that batch.
std::vector<Found> found(Placement& placement, MatrixId id, SpaceId rows, SpaceId columns) {
  LocalMatrix& matrix = placement.matrix(id);
  const std::span<const GlobalIndex> row = placement.space(rows).global(), column = placement.space(columns).global();
  std::vector<Found> mine;
  for (std::uint32_t b = 0; b < matrix.batches(); ++b) {
    const CompressedView view = matrix.batch(b);
    EXPECT_EQ(view.pointer.size(), std::size_t{placement.space(rows).local_size()} + 1);
    for (std::size_t i = 0; i + 1 < view.pointer.size(); ++i) {
      for (std::uint64_t k = view.pointer[i]; k < view.pointer[i + 1]; ++k) {
        std::uint32_t value = 0;
        if (view.value != nullptr) std::memcpy(&value, view.value + k * sizeof value, sizeof value);
        mine.push_back(
            {b, static_cast<std::uint64_t>(row[i]), static_cast<std::uint64_t>(column[view.index[k]]), value});
      }
    }
  }
  EXPECT_EQ(mine.size(), matrix.nonzeros());
  return mine;
}

/// With what is left over, without values, and with a space that grows afterwards.
TEST(MatrixBatches, EveryRowIsInItsBatch) {
  const comm::Communicator communicator;
  for (const Cut& cut : all_cuts()) {
    SCOPED_TRACE(cut.name);
    for (const bool values : {true, false}) {
      const tests::Edges edges = tests::uniform_edges(103, 40, 700, 6);
      Placement placement(communicator, options_of(cut));
      const SpaceId samples = placement.space(103), features = placement.space(40);
      const MatrixId whole = placement.add_matrix(samples, features, entries_read(edges, communicator, values));
      for (const std::uint32_t size : {1u, 7u, 25u, 103u}) {
        const std::uint32_t batches = 103 / size;
        const SpaceId rows = placement.space(size);
        const MatrixId id = placement.add_matrix(rows, features, in_batches(placement.entries(whole), batches, size));
        const PlacementStats::Matrix& stats = placement.stats().matrices.at(index_of(id));
        const std::vector<Found> all = expected(edges, batches, size, values);
        EXPECT_EQ(stats.batches, batches);
        EXPECT_EQ(stats.nonzeros, (all.size() + batches - 1) / batches);
        EXPECT_EQ(stats.value_bytes, values ? 4u : 0u);
        EXPECT_FALSE(stats.dense || stats.symmetric);
        EXPECT_EQ(gathered(communicator, found(placement, id, rows, features)), all);
        const tests::Edges more = tests::uniform_edges(size, 40, 60, 7);
        placement.add_matrix(rows, features, entries_read(more, communicator, false));
        EXPECT_EQ(gathered(communicator, found(placement, id, rows, features)), all) << "in larger spaces";
        placement.hold_everywhere(rows);
        EXPECT_EQ(gathered(communicator, found(placement, id, rows, features)), all) << "of which all is everywhere";
        EXPECT_THROW(placement.matrix(id).by_column(), InternalError);
      }
    }
  }
}

TEST(MatrixBatches, OfADenseMatrixAllElementsAreEntries) {
  const comm::Communicator communicator;
  tests::Edges edges;
  for (GlobalIndex i = 0; i < 12; ++i) {
    for (GlobalIndex j = 0; j < 5; ++j) edges.source.push_back(i), edges.target.push_back(j);
  }
  Placement placement(communicator, Options{});
  const SpaceId rows = placement.space(12), columns = placement.space(5), of_batch = placement.space(4);
  const MatrixId whole = placement.add_matrix(rows, columns, entries_read(edges, communicator, true));
  EXPECT_TRUE(placement.stats().matrices[index_of(whole)].dense);
  const MatrixId id = placement.add_matrix(of_batch, columns, in_batches(placement.entries(whole), 3, 4));
  EXPECT_EQ(gathered(communicator, found(placement, id, of_batch, columns)), expected(edges, 3, 4, true));
}

/// By default, whatever the matrix is cut by.
TEST(MatrixBatches, RowsStayWhole) {
  const comm::Communicator communicator;
  Placement placement(communicator, Options{});
  const SpaceId samples = placement.space(103), features = placement.space(40), rows = placement.space(20);
  const MatrixId whole =
      placement.add_matrix(samples, features, entries_read(tests::uniform_edges(103, 40, 700, 6), communicator, true));
  for (int time = 0; time < 2; ++time) {
    const MatrixId id = placement.add_matrix(rows, features, in_batches(placement.entries(whole), 5, 20));
    EXPECT_EQ(placement.stats().of(rows, {{id, Role::Side::row}}).replicas, 0u);
  }
  EXPECT_TRUE(placement.space(rows).even_blocks());
}

TEST(MatrixBatches, RowsOfBatchesAreCountedByLocalIndices) {
  EXPECT_NO_THROW(LocalMatrix::require_indices(65536, 65535));
  EXPECT_THROW(LocalMatrix::require_indices(65536, 65536), InputError);
}

}  // namespace
}  // namespace kasen::partition
