/// @file
/// Label propagation: balance, the same owners for any number of workers, and few replicas where there are communities.
#include "partition/label_propagation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "partition/choose.h"
#include "partition/has_clusters.h"
#include "partition/metis_partitioner.h"
#include "partition/range_cut.h"
#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

/// Vertices in communities of equal size, in no order. Of 20 edges of each vertex one leaves its community.
tests::Edges communities(std::uint64_t number, std::uint64_t size) {
  const std::uint64_t vertices = number * size;
  const auto shuffled = [&](std::uint64_t v) { return static_cast<GlobalIndex>(v * 7919 % vertices); };
  tests::Edges edges;
  for (std::uint64_t v = 0; v < vertices; ++v)
    for (std::uint64_t k = 0; k < 20; ++k) {
      const std::uint64_t any = mix(v * 20 + k);
      edges.source.push_back(shuffled(v));
      edges.target.push_back(shuffled(k == 0 ? any % vertices : v / size * size + any % size));
    }
  return edges;
}

/// All edges into or out of vertex 0; the vertices from `length` / 2 on have none but a loop, or none at all.
tests::Edges star(std::uint64_t length, bool into) {
  tests::Edges edges;
  for (std::uint64_t v = 0; v < length; ++v) {
    if (v >= length / 2 && v % 3 != 0) continue;
    edges.source.push_back(static_cast<GlobalIndex>(v));
    edges.target.push_back(v < length / 2 ? 0 : static_cast<GlobalIndex>(v));
  }
  if (!into) edges.source.swap(edges.target);
  return edges;
}

tests::Edges path(std::uint64_t length) {
  tests::Edges edges;
  for (std::uint64_t v = 0; v + 1 < length; ++v) {
    edges.source.push_back(static_cast<GlobalIndex>(v * 7919 % length));
    edges.target.push_back(static_cast<GlobalIndex>((v + 1) * 7919 % length));
  }
  return edges;
}

Entries all_entries(const tests::Edges& edges) { return {edges.source, edges.target, {}, 0}; }

Shape shape_of(std::uint64_t rows, std::uint64_t columns, bool one_space) {
  return {rows, columns, one_space, 2, nullptr, nullptr};
}

PartitionCandidate of(const Partitioner& partitioner, const tests::Edges& edges, const Shape& shape, int parts) {
  const Entries entries = all_entries(edges);
  return measured(nullptr, entries, shape, partitioner.name(),
                  run_partitioner(nullptr, partitioner, entries, shape, parts));
}

/// The most that balance allows: 1.05 of a share, or a share and the longest line.
double most_imbalance(const tests::Edges& edges, const Shape& shape, int parts) {
  std::vector<std::uint64_t> rows(shape.rows), columns(shape.columns);
  for (const GlobalIndex i : edges.source) ++rows[static_cast<std::size_t>(i)];
  for (const GlobalIndex j : edges.target) ++columns[static_cast<std::size_t>(j)];
  const auto longest = [](const std::vector<std::uint64_t>& lengths) {
    return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  };
  const std::uint64_t elements = shape.rows + (shape.one_space ? 0 : shape.columns);
  const double share = static_cast<double>(edges.source.size() + kElementLoad * elements) / parts;
  const std::uint64_t line = kElementLoad + std::min(longest(rows), longest(columns));
  return share == 0 ? 1 : std::max(1.05, 1 + static_cast<double>(line + 1) / share);
}

TEST(LabelPropagation, FindsCommunities) {
  if (comm::Communicator().rank() != 0) return;
  const tests::Edges edges = communities(64, 100);
  const Shape shape = shape_of(6400, 6400, true);
  for (const int parts : {2, 4, 8, 16}) {
    SCOPED_TRACE(parts);
    const PartitionCandidate found = of(*label_propagation_partitioner(), edges, shape, parts);
    EXPECT_LE(found.load_imbalance, 1.05);
    EXPECT_LT(2 * found.replicas(), of(*range_partitioner("range", {}), edges, shape, parts).replicas());
    EXPECT_LT(static_cast<double>(found.replicas()),
              1.1 * static_cast<double>(of(*metis_partitioner(), edges, shape, parts).replicas()));
  }
}

TEST(LabelPropagation, CutsAPathIntoFewPieces) {
  if (comm::Communicator().rank() != 0) return;
  for (const int parts : {2, 7, 24}) {
    const PartitionCandidate found =
        of(*label_propagation_partitioner(), path(20000), shape_of(20000, 20000, true), parts);
    EXPECT_LE(found.load_imbalance, 1.05);
    EXPECT_LE(found.replicas(), static_cast<std::uint64_t>(8 * parts));
  }
}

/// On these workers, and on one that has all entries: the same owners, which balance the load.
void expect_same(const comm::Communicator& communicator, const tests::Edges& edges, const Shape& shape, int parts) {
  SCOPED_TRACE(std::to_string(shape.rows) + " rows, " + std::to_string(edges.source.size()) + " edges, " +
               std::to_string(parts) + " parts");
  const auto partitioner = label_propagation_partitioner();
  const Partitioning alone = run_partitioner(nullptr, *partitioner, all_entries(edges), shape, parts);
  tests::Edges turned = edges;
  std::reverse(turned.source.begin(), turned.source.end());
  std::reverse(turned.target.begin(), turned.target.end());
  for (const tests::Edges* spread : {&edges, static_cast<const tests::Edges*>(&turned)}) {
    const Entries entries = entries_read(*spread, communicator, false);
    const Partitioning found = partitioner->partition_together(&communicator, shape, parts, entries);
    EXPECT_EQ(found.rows, alone.rows);
    EXPECT_EQ(found.columns, alone.columns);
    EXPECT_EQ(found.rule, alone.rule);
  }
  EXPECT_EQ(alone.rows.length(), shape.rows);
  EXPECT_EQ(alone.columns.length(), shape.columns);
  const PartitionCandidate counted = measured(nullptr, all_entries(edges), shape, "", alone);
  EXPECT_LE(counted.load_imbalance, most_imbalance(edges, shape, parts));
}

TEST(LabelPropagation, IsTheSameForAnyWorkers) {
  const comm::Communicator communicator;
  for (const int parts : {2, 24}) {
    expect_same(communicator, communities(40, 100), shape_of(4000, 4000, true), parts);
    expect_same(communicator, tests::rmat(12, 4, 4), shape_of(4096, 4096, true), parts);
    expect_same(communicator, tests::uniform_edges(6000, 900, 20000, 6), shape_of(6000, 900, false), parts);
    expect_same(communicator, tests::uniform_edges(900, 6000, 20000, 6), shape_of(900, 6000, false), parts);
    expect_same(communicator, path(5000), shape_of(5000, 5000, true), parts);
    expect_same(communicator, star(6000, true), shape_of(6000, 6000, true), parts);
    expect_same(communicator, star(6000, false), shape_of(6000, 6000, true), parts);
  }
}

TEST(LabelPropagation, TakesWhatIsOddToo) {
  const comm::Communicator communicator;
  for (const int parts : {1, 50})
    for (const std::uint64_t length : {0u, 1u, 61u, 1001u})
      for (const std::uint64_t number : {0u, 30u, 3000u}) {
        if (length == 0 && number != 0) continue;
        tests::Edges edges;
        if (number != 0) edges = tests::uniform_edges(length, length, number, 2);
        expect_same(communicator, edges, shape_of(length, length, true), parts);
        expect_same(communicator, edges, shape_of(length, length, false), parts);
      }
}

TEST(LabelPropagation, KeepsOwnersThatAreFixed) {
  const comm::Communicator communicator;
  const tests::Edges edges = tests::uniform_edges(300, 40, 2000, 6);
  const Assignment rows = Assignment::block(300, 6);
  Shape shape = shape_of(300, 40, false);
  shape.row_owners = &rows;
  const Partitioning found = run_partitioner(&communicator, *label_propagation_partitioner(),
                                             entries_read(edges, communicator, false), shape, 6);
  EXPECT_EQ(found.rows, rows);
  EXPECT_EQ(found.columns, Assignment::hash(40, 6, shape.column_salt));
}

TEST(LabelPropagation, RefusesWhatItCannotCount) {
  const comm::Communicator communicator;
  try {
    const Shape tall = shape_of(std::uint64_t{1} << 31, 5, false);
    label_propagation_partitioner()->partition_together(&communicator, tall, 4, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("label propagation counts with 31 bits"), std::string::npos);
  }
}

/// A torus of points in no order, each joined with its right and its upper neighbour.
tests::Edges torus(std::uint64_t side) {
  const std::uint64_t length = side * side;
  const auto id = [&](std::uint64_t x, std::uint64_t y) {
    return static_cast<GlobalIndex>((x % side * side + y % side) * 7919 % length);
  };
  tests::Edges edges;
  for (std::uint64_t x = 0; x < side; ++x)
    for (std::uint64_t y = 0; y < side; ++y) {
      edges.source.insert(edges.source.end(), {id(x, y), id(x, y)});
      edges.target.insert(edges.target.end(), {id(x + 1, y), id(x, y + 1)});
    }
  return edges;
}

TEST(HasClusters, TellsMeshesAndCommunitiesFromRandomGraphs) {
  const comm::Communicator communicator;
  const auto clustered = [&](const tests::Edges& edges, const Shape& shape) {
    const bool alone = has_clusters(Team(nullptr), all_entries(edges), shape);
    EXPECT_EQ(has_clusters(Team(&communicator), entries_read(edges, communicator, false), shape), alone);
    return alone;
  };
  EXPECT_TRUE(clustered(communities(64, 100), shape_of(6400, 6400, true)));
  EXPECT_TRUE(clustered(torus(90), shape_of(8100, 8100, true)));
  EXPECT_TRUE(clustered(path(20000), shape_of(20000, 20000, true)));
  EXPECT_FALSE(clustered(tests::uniform_edges(6400, 6400, 150000, 1), shape_of(6400, 6400, true)));
  EXPECT_FALSE(clustered(tests::uniform_edges(6000, 900, 150000, 6), shape_of(6000, 900, false)));
  EXPECT_FALSE(clustered(tests::uniform_edges(6000, 3000, 60000, 6), shape_of(6000, 3000, false)));
  EXPECT_FALSE(clustered(tests::rmat(13, 16, 4), shape_of(8192, 8192, true)));
}

TEST(HasClusters, TakesWhatIsOddToo) {
  const comm::Communicator communicator;
  for (const tests::Edges& edges : {tests::Edges{}, star(100, true), star(100, false), path(3)}) {
    const Shape shape = shape_of(100, 100, true);
    EXPECT_EQ(has_clusters(Team(&communicator), entries_read(edges, communicator, false), shape),
              has_clusters(Team(nullptr), all_entries(edges), shape));
  }
}

TEST(LabelPropagation, IsChosenWhereThereAreClusters) {
  const comm::Communicator communicator;
  const tests::Edges clustered = communities(64, 100);
  const Shape shape = shape_of(6400, 6400, true);
  const ChosenPartitioning choice =
      choose_partitioning(&communicator, entries_read(clustered, communicator, false), shape, 8);
  EXPECT_EQ(choice.partitioning.rows,
            run_partitioner(nullptr, *label_propagation_partitioner(), all_entries(clustered), shape, 8).rows);
}

}  // namespace
}  // namespace kasen::partition
