/// @file
/// Counting for any number of workers on one machine against placing on as many; degrees against plain counting; the
/// estimate from degrees against both.

#include "partition/parts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "partition/degrees.h"
#include "partition/estimate.h"
#include "partition/hybrid_cut.h"
#include "partition/placement.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

Entries all_entries(const tests::Edges& edges) { return {edges.source, edges.target, {}, 0}; }

void expect_same(const PlacementStats& counted, const PlacementStats& placed) {
  EXPECT_EQ(counted.workers, placed.workers);
  ASSERT_EQ(counted.spaces.size(), placed.spaces.size());
  for (std::size_t s = 0; s < placed.spaces.size(); ++s) {
    const auto &a = counted.spaces[s], &b = placed.spaces[s];
    EXPECT_EQ(a.masters, b.masters);
    EXPECT_EQ(a.replicas, b.replicas);
    EXPECT_EQ(a.blocks, b.blocks);
    EXPECT_DOUBLE_EQ(a.imbalance, b.imbalance);
    ASSERT_EQ(a.roles.size(), b.roles.size());
    for (std::size_t r = 0; r < b.roles.size(); ++r) {
      EXPECT_EQ(a.roles[r].roles, b.roles[r].roles);
      EXPECT_EQ(a.roles[r].replicas, b.roles[r].replicas);
      EXPECT_EQ(a.roles[r].contiguous, b.roles[r].contiguous);
      EXPECT_EQ(a.roles[r].pairs, b.roles[r].pairs);
    }
  }
  EXPECT_EQ(counted.matrices[0].nonzeros, placed.matrices[0].nonzeros);
  EXPECT_EQ(counted.matrices[0].symmetric, placed.matrices[0].symmetric);
  EXPECT_DOUBLE_EQ(counted.matrices[0].imbalance, placed.matrices[0].imbalance);
  if (counted.workers > 1 || !placed.matrices[0].by_column.counted) return;  // elsewhere turns go by the local order
  EXPECT_EQ(counted.matrices[0].by_column.turns, placed.matrices[0].by_column.turns);
  EXPECT_EQ(counted.matrices[0].by_row.turns, placed.matrices[0].by_row.turns);
}

TEST(EntryRule, WhatOwnsBothEndsHasTheNonZero) {
  using Kind = EntryRule::Kind;
  for (int parts = 1; parts <= 24; ++parts) {
    std::vector<Rank> owners;  // element p is owned by part p
    for (Rank part = 0; part < parts; ++part) owners.push_back(part);
    const Assignment assignment = Assignment::table(owners, parts);
    for (const Kind kind : {Kind::row, Kind::column, Kind::hybrid, Kind::grid}) {
      const Partitioning partitioning{assignment, assignment, {kind, 1}};
      for (Rank part = 0; part < parts; ++part) {
        for (const bool high : {false, true}) EXPECT_EQ(partitioning.part(part, part, high), part);
      }
    }
  }
}

TEST(Parts, AreThoseOfAPlacement) {
  const comm::Communicator communicator;
  for (const Cut& cut : all_cuts()) {
    SCOPED_TRACE(cut.name);
    for (const auto& [rows, columns] : {std::pair<std::uint64_t, std::uint64_t>{256, 256}, {300, 40}}) {
      tests::Edges edges = tests::uniform_edges(rows, columns, 1500, 6);
      if (rows == columns && cut.partition == Partition::block) {  // symmetric
        const tests::Edges there = edges;
        edges.source.insert(edges.source.end(), there.target.begin(), there.target.end());
        edges.target.insert(edges.target.end(), there.source.begin(), there.source.end());
      }
      Placement placement(communicator, options_of(cut));
      placement.assign(placement.space(77));  // without a matrix
      const SpaceId row_space = placement.space(rows), column_space = placement.space(columns);
      const MatrixId id = placement.add_matrix(row_space, column_space, entries_read(edges, communicator, false));
      for (const Role::Side outputs : {Role::Side::row, Role::Side::column}) placement.count_blocks(id, outputs);

      PlacementStats counted = placement.stats();
      for (auto& space : counted.spaces) space.roles.clear();
      place_in_parts(all_entries(edges), rows, columns, static_cast<std::uint32_t>(communicator.size()),
                     options_of(cut), counted);
      expect_same(counted, placement.stats());
    }
  }
}

/// Entries without values say of a matrix that has some only where these may be.
TEST(Parts, AreSymmetricInValuesIfTheyWere) {
  const tests::Edges path{{0, 1, 1, 2}, {1, 0, 2, 1}}, way{{0, 1}, {1, 2}};
  for (const bool was : {false, true}) {
    for (const std::uint32_t value_bytes : {0u, 8u}) {
      PlacementStats stats;
      stats.spaces.resize(1);
      stats.matrices.resize(1);
      stats.matrices[0].value_bytes = value_bytes;
      stats.matrices[0].symmetric = was;
      PlacementStats placed = stats;
      place_in_parts(all_entries(path), 3, 3, 2, Options{}, placed);
      EXPECT_EQ(placed.matrices[0].symmetric, value_bytes == 0 || was);
      place_in_parts(all_entries(way), 3, 3, 2, Options{}, stats);
      EXPECT_FALSE(stats.matrices[0].symmetric);
    }
  }
}

TEST(Degrees, AreThoseOfDistinctNeighbours) {
  const comm::Communicator communicator;
  const tests::Edges edges = tests::rmat(8, 8, 12);  // with duplicates
  for (const std::uint64_t threshold : {std::uint64_t{0}, std::uint64_t{5}, std::uint64_t{20}, kNoThreshold}) {
    std::map<GlobalIndex, std::uint64_t> in;
    std::set<std::pair<GlobalIndex, GlobalIndex>> distinct;
    for (std::size_t k = 0; k < edges.source.size(); ++k) {
      ++in[edges.target[k]];
      distinct.emplace(edges.source[k], edges.target[k]);
    }
    std::map<GlobalIndex, std::uint64_t> row, column, both, other_rows, other_columns;
    for (const auto& [source, target] : distinct) {
      const bool high = in[target] > threshold;
      ++(high ? other_columns[target] : other_rows[source]);
      if (source == target) continue;  // always beside its master
      ++(high ? column[target] : row[source]);
      ++both[high ? target : source];
    }
    const auto histogram = [](const std::map<GlobalIndex, std::uint64_t>& degrees) {
      std::map<std::uint64_t, std::uint64_t> counts;
      for (const auto& [index, degree] : degrees) ++counts[degree];
      Degrees::Histogram bins;
      for (const auto& [degree, elements] : counts) bins.push_back({degree, elements});
      return bins;
    };
    const Entries entries = entries_read(edges, communicator, false);
    const Degrees square = measure_degrees(communicator, entries, 256, 256, true, threshold);
    EXPECT_EQ(square, (Degrees{threshold, histogram(row), histogram(column), histogram(both)}));
    const Degrees apart = measure_degrees(communicator, entries, 256, 256, false, threshold);
    EXPECT_EQ(apart, (Degrees{threshold, histogram(other_rows), histogram(other_columns), {}}));
  }
}

TEST(Estimate, IsCloseToWhatIsPlaced) {
  const comm::Communicator communicator;
  tests::Edges edges = tests::uniform_edges(20000, 20000, 200000, 3);
  // A twentieth of the columns has half of the non-zeros.
  for (std::size_t k = 0; k < edges.target.size(); k += 2) edges.target[k] %= 1000;
  Options options;
  options.partition = Partition::hybrid_cut;
  PlacementStats stats;
  stats.spaces.resize(1);
  stats.matrices.resize(1);
  place_in_parts(all_entries(edges), 20000, 20000, 1, options, stats);
  EXPECT_EQ(stats.spaces[0].replicas, 0u);
  const Degrees degrees =
      measure_degrees(communicator, entries_read(edges, communicator, false), 20000, 20000, true, options.threshold);
  for (const std::uint32_t workers : {1u, 4u, 16u, 100u}) {
    SCOPED_TRACE(workers);
    const PlacementStats estimated = estimate_placement(stats, {degrees}, workers);
    PlacementStats placed = stats;
    place_in_parts(all_entries(edges), 20000, 20000, workers, options, placed);
    ASSERT_EQ(estimated.spaces[0].roles.size(), 3u);
    for (std::size_t r = 0; r < 3; ++r) {
      const auto &guess = estimated.spaces[0].roles[r], &real = placed.spaces[0].roles[r];
      EXPECT_EQ(guess.roles, real.roles);
      EXPECT_NEAR(static_cast<double>(guess.replicas), static_cast<double>(real.replicas),
                  0.01 * static_cast<double>(real.replicas));
      const auto pairs = static_cast<double>(real.pairs.count());
      EXPECT_NEAR(static_cast<double>(guess.pairs.count()), pairs, 0.01 * pairs);
      EXPECT_EQ(guess.contiguous, real.contiguous);
    }
    EXPECT_EQ(estimated.spaces[0].blocks, placed.spaces[0].blocks);
  }
  EXPECT_THROW(estimate_placement(stats, {}, 4), InputError);
}

/// A graph of which a hundredth of the columns has half of the non-zeros, placed, with its degrees.
struct Skewed {
  Skewed(std::uint64_t length, std::uint64_t nonzeros, std::uint32_t workers) {
    const comm::Communicator communicator;
    tests::Edges edges = tests::uniform_edges(length, length, nonzeros, 3);
    for (std::size_t k = 0; k < edges.target.size(); k += 2) edges.target[k] %= static_cast<GlobalIndex>(length / 100);
    Options options;
    options.partition = Partition::hybrid_cut;
    stats.spaces.resize(1);
    stats.matrices.resize(1);
    place_in_parts(all_entries(edges), length, length, workers, options, stats);
    degrees = measure_degrees(communicator, entries_read(edges, communicator, false), length, length, true,
                              options.threshold);
  }
  PlacementStats stats;
  Degrees degrees;
};

TEST(Estimate, GrowsAsLargerGraphsDo) {
  constexpr std::uint32_t kWorkers = 16;
  const Skewed recorded(10000, 100000, kWorkers);
  const std::uint64_t nonzeros = recorded.stats.matrices[0].nonzeros;
  struct Other {
    std::uint64_t length, nonzeros;
  };
  for (const auto& [length, all] : {Other{40000, 400000}, Other{20000, 400000}, Other{2000, 20000}}) {
    SCOPED_TRACE(length);
    const PlacementStats real = Skewed(length, all, kWorkers).stats;
    const PlacementStats guess =
        scale_placement(recorded.stats, {recorded.degrees}, {length}, {nonzeros * all / 100000});
    EXPECT_EQ(guess.spaces[0].masters, length);
    for (std::size_t r = 0; r < 3; ++r) {
      const auto replicas = static_cast<double>(real.spaces[0].roles[r].replicas);
      EXPECT_NEAR(static_cast<double>(guess.spaces[0].roles[r].replicas), replicas, 0.03 * replicas) << r;
      const auto pairs = static_cast<double>(real.spaces[0].roles[r].pairs.count());
      EXPECT_NEAR(static_cast<double>(guess.spaces[0].roles[r].pairs.count()), pairs, 0.15 * pairs) << r;
    }
    EXPECT_EQ(guess.spaces[0].replicas, guess.spaces[0].roles.back().replicas);
  }
}

TEST(Estimate, OfTheSameSizesChangesNothing) {
  const Skewed recorded(3000, 90000, 5);
  PlacementStats stats = recorded.stats;
  stats.matrices[0].by_column = {true, 1234, 100, 3000 + stats.spaces[0].roles[1].replicas, 7, 8, 9};
  const PlacementStats same =
      scale_placement(stats, {recorded.degrees}, {stats.spaces[0].masters}, {stats.matrices[0].nonzeros});
  EXPECT_EQ(same.matrices[0].nonzeros, stats.matrices[0].nonzeros);
  EXPECT_EQ(same.matrices[0].by_column, stats.matrices[0].by_column);
  EXPECT_EQ(same.spaces[0].replicas, stats.spaces[0].replicas);
  for (std::size_t r = 0; r < 3; ++r) {
    EXPECT_EQ(same.spaces[0].roles[r].replicas, stats.spaces[0].roles[r].replicas);
    EXPECT_EQ(same.spaces[0].roles[r].pairs, stats.spaces[0].roles[r].pairs);
  }
}

TEST(Estimate, OfOtherSizesHasBounds) {
  PlacementStats stats;
  stats.workers = 64;
  stats.spaces.resize(2);
  stats.spaces[0].masters = stats.spaces[1].masters = 1000;
  stats.spaces[0].roles.push_back({{{MatrixId{0}, Role::Side::row}}, 5000, true, WorkerPairs::nearest(64, 64 * 63)});
  stats.spaces[1].roles.push_back({{kEverywhere}, 63000, true, {}});
  stats.matrices.resize(1);
  stats.matrices[0].columns = SpaceId{1};
  stats.matrices[0].nonzeros = 4000;
  stats.matrices[0].by_row = {true, 3000, 200, 100, 0, 0, 0};
  const auto row = [](const PlacementStats& scaled) { return scaled.spaces[0].roles[0]; };
  const auto scaled = [&](std::uint64_t rows, std::uint64_t columns, std::uint64_t nonzeros) {
    return scale_placement(stats, {}, {rows, columns}, {nonzeros});  // nothing is known of degrees
  };
  EXPECT_EQ(row(scaled(3000, 1000, 4000)).replicas, 15000u);
  EXPECT_EQ(scaled(1000, 10, 4000).spaces[1].replicas, 630u);
  const PlacementStats less = scaled(10, 10, 40);
  EXPECT_EQ(row(less).replicas, 50u);
  EXPECT_EQ(row(less).pairs.count(), 50u);
  EXPECT_EQ(less.matrices[0].by_row.runs, 30u);
  EXPECT_EQ(less.matrices[0].by_row.long_runs, 2u);
  const PlacementStats none = scaled(0, 0, 0);
  EXPECT_EQ(row(none).replicas + none.spaces[1].replicas + row(none).pairs.count() + none.matrices[0].by_row.runs, 0u);
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  EXPECT_EQ(scaled(kMost, kMost, kMost).spaces[1].replicas, 63 * kMost);
  stats.workers = 1 << 20;
  EXPECT_EQ(scaled(kMost, kMost, kMost).spaces[1].replicas,
            std::uint64_t{1} << 62);  // and not what is left modulo 2^64
}

/// Columns of up to `threshold` non-zeros, which hybrid-cut would keep whole.
TEST(Estimate, CutsDenseMatricesByRows) {
  PlacementStats stats;
  stats.spaces.resize(2);
  stats.spaces[0].masters = 40;
  stats.spaces[1].masters = 8;
  stats.spaces[0].blocks = stats.spaces[1].blocks = true;
  stats.matrices.resize(1);
  PlacementStats::Matrix& matrix = stats.matrices[0];
  matrix.rows = SpaceId{0}, matrix.columns = SpaceId{1}, matrix.nonzeros = 320, matrix.dense = true;
  const Degrees degrees{100, {{8, 40}}, {{0, 8}}, {}};
  for (const auto& [workers, replicas] : {std::pair{3u, 16u}, {40u, 8 * 39u}, {80u, 8 * 39u + 4}}) {
    const PlacementStats estimated = estimate_placement(stats, {degrees}, workers);
    EXPECT_EQ(estimated.spaces[0].replicas, 0u);
    EXPECT_EQ(estimated.spaces[1].replicas, replicas);
    EXPECT_EQ(estimated.spaces[1].roles.at(0).pairs.count(),
              std::min(replicas,
                       std::min(8u, workers) * std::min(workers - 1, 40u)));  // each owner of columns, all with rows
    EXPECT_DOUBLE_EQ(estimated.matrices[0].imbalance, workers == 3 ? 14 * 3 / 40.0 : workers / 40.0);
    EXPECT_TRUE(estimated.spaces[0].blocks);
    EXPECT_TRUE(estimated.spaces[1].blocks);
    const PlacementStats larger = scale_placement(estimated, {degrees}, {4000, 80}, {320000});
    EXPECT_EQ(larger.spaces[0].replicas, 0u);
    EXPECT_EQ(larger.spaces[1].replicas, 80 * (workers - 1));
  }
  // Where several workers have recorded rows with replicas, it was cut otherwise.
  stats.workers = 2;
  stats.spaces[0].roles = {{{{MatrixId{0}, Role::Side::row}}, 40, true, WorkerPairs::nearest(2, 2)}};
  EXPECT_EQ(estimate_placement(stats, {degrees}, 3).spaces[1].replicas, 0u);
}

/// Whose columns have as many non-zeros as all batches together; rows stay whole.
TEST(Estimate, CutsMatricesInBatchesByRows) {
  PlacementStats stats;
  stats.spaces.resize(2);
  stats.spaces[0].masters = 40;
  stats.spaces[1].masters = 8;
  stats.matrices.resize(1);
  PlacementStats::Matrix& matrix = stats.matrices[0];
  matrix.rows = SpaceId{0}, matrix.columns = SpaceId{1}, matrix.nonzeros = 5, matrix.batches = 4;
  Entries entries;  // rows of four columns that have one row each, and of four that have four
  for (GlobalIndex k = 0; k < 4; ++k) {
    entries.row.push_back(k), entries.column.push_back(k);
    for (GlobalIndex j = 0; j < 4; ++j) entries.row.push_back(4 + 4 * k + j), entries.column.push_back(4 + k);
  }
  const Degrees degrees = measure_degrees(comm::Communicator(), entries, 40, 8, false, 0);
  for (const std::uint32_t workers : {2u, 3u, 50u}) {
    const PlacementStats estimated = estimate_placement(stats, {degrees}, workers);
    const double elsewhere = 1 - 1.0 / workers, others = workers - 1.0;
    EXPECT_EQ(estimated.spaces[0].replicas, 0u);
    EXPECT_EQ(
        estimated.spaces[1].replicas,
        static_cast<std::uint64_t>(std::llround(others * (4 * (1 - elsewhere) + 4 * (1 - std::pow(elsewhere, 4))))));
    EXPECT_EQ(estimated.matrices[0].batches, 4u);
  }
}

TEST(Estimate, NeverTakesMorePairsThanReplicas) {
  PlacementStats stats;
  stats.spaces.resize(1);
  stats.spaces[0].masters = 10;
  stats.matrices.resize(1);
  const Degrees degrees{100, {{1, 5}}, {}, {{1, 5}}};
  const PlacementStats estimated = estimate_placement(stats, {degrees}, 64);
  const PlacementStats::Roles& row = estimated.spaces[0].roles[0];
  EXPECT_EQ(row.replicas, 5u);  // 5 elements of one non-zero, at 63 of 64 workers elsewhere
  EXPECT_EQ(row.pairs.count(), 5u);
}

TEST(Estimate, CountsBeyond32Bits) {
  constexpr std::uint64_t kLength = std::uint64_t{1} << 40;
  PlacementStats stats;
  stats.spaces.resize(1);
  stats.spaces[0].masters = kLength;
  stats.matrices.resize(1);
  stats.matrices[0].nonzeros = 16 * kLength;
  const Degrees degrees{100, {{16, kLength}}, {}, {{16, kLength}}};
  const PlacementStats estimated = estimate_placement(stats, {degrees}, 1024);
  const double expected = static_cast<double>(kLength) * 1023 * (1 - std::pow(1023.0 / 1024, 16));
  EXPECT_NEAR(static_cast<double>(estimated.spaces[0].replicas), expected, 1e-9 * expected);
  EXPECT_EQ(estimated.matrices[0].nonzeros, 16 * kLength);
}

}  // namespace
}  // namespace kasen::partition
