/// @file
/// Hybrid-cut against its definition, and the number of replicas against its exact expectation for an ideal hash:
///   row replicas of x     (P - 1) (1 - (1 - 1/P)^L(x)),  L(x): distinct low out-neighbours;
///   column replicas of x  (P - 1) (1 - (1 - 1/P)^I(x)) if x is high, else 0,  I(x): distinct in-neighbours;
///   both together         (P - 1) (1 - (1 - 1/P)^d(x)),  d(x) = L(x) + (x is high ? I(x) : 0).

#include "partition/hybrid_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/partition/placement_model.h"

namespace kasen::partition {
namespace {

std::vector<GlobalIndex> high_by_definition(const tests::Edges& edges, std::uint64_t threshold) {
  std::map<GlobalIndex, std::uint64_t> in_degree;
  for (GlobalIndex target : edges.target) ++in_degree[target];
  std::vector<GlobalIndex> high;
  for (const auto& [target, degree] : in_degree)
    if (degree > threshold) high.push_back(target);
  return high;
}

TEST(HybridCut, HighColumnsAreThoseStrictlyAboveTheThreshold) {
  const comm::Communicator communicator;
  const tests::Edges edges = tests::rmat(8, 8, 12);
  const Entries entries = entries_read(edges, communicator, false);
  for (const Assignment& owners :
       {Assignment::hash(256, communicator.size()), Assignment::block(256, communicator.size())})
    for (std::uint64_t threshold : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{8},
                                    std::uint64_t{100}, std::uint64_t{1000000}, kNoThreshold}) {
      const std::vector<GlobalIndex> high = high_columns(communicator, entries.column, owners, threshold);
      std::vector<GlobalIndex> expected;
      const std::set<GlobalIndex> here(entries.column.begin(), entries.column.end());
      for (GlobalIndex column : high_by_definition(edges, threshold))
        if (here.count(column) == 1) expected.push_back(column);
      EXPECT_EQ(high, expected) << "threshold " << threshold;
    }
}

TEST(HybridCut, ExactlyTheThresholdIsLow) {
  const comm::Communicator communicator;
  const auto workers = static_cast<std::uint64_t>(communicator.size());
  const std::vector<GlobalIndex> columns{4, 4, 9};  // on every worker: 4 occurs 2 P times, 9 P times
  const Assignment owners = Assignment::hash(20, communicator.size());
  EXPECT_EQ(high_columns(communicator, columns, owners, 2 * workers), std::vector<GlobalIndex>{});
  EXPECT_EQ(high_columns(communicator, columns, owners, 2 * workers - 1), std::vector<GlobalIndex>{4});
  EXPECT_EQ(high_columns(communicator, columns, owners, workers), std::vector<GlobalIndex>{4});
  EXPECT_EQ(high_columns(communicator, columns, owners, workers - 1), (std::vector<GlobalIndex>{4, 9}));
}

TEST(HybridCut, HighColumnsAreFoundInSeveralRounds) {
  const comm::Communicator communicator;
  const auto workers = static_cast<std::uint64_t>(communicator.size());
  for (const std::uint64_t length : {std::uint64_t{700'000}, std::uint64_t{1} << 40}) {
    std::vector<GlobalIndex> columns, expected;  // on every worker: every other column twice
    for (std::uint64_t k = 0; k < 40; ++k) {
      const auto column = static_cast<GlobalIndex>(length / 40 * k + k);
      columns.insert(columns.end(), 1 + k % 2, column);
      if (k % 2 == 1) expected.push_back(column);
    }
    const Assignment owners = Assignment::hash(length, communicator.size());
    EXPECT_EQ(high_columns(communicator, columns, owners, workers), expected);
  }
}

/// Independent end points, uniform sources and skewed targets: numbers of replicas then vary little around what is
/// expected (the many vertices of degree one in an R-MAT graph that share a target would be on the same worker).
tests::Edges skewed_targets(int scale, std::uint64_t edges_per_vertex) {
  tests::Edges edges = tests::rmat(scale, edges_per_vertex, 2);
  edges.source = tests::uniform_edges(std::uint64_t{1} << scale, 1, edges_per_vertex << scale, 3).source;
  return edges;
}

struct Replication {
  double row = 0, column = 0, both = 0;
};

/// The expectation, from the whole graph.
Replication expected_replicas(const tests::Edges& edges, std::uint64_t threshold, int parts) {
  const std::vector<GlobalIndex> high_list = high_by_definition(edges, threshold);
  const std::set<GlobalIndex> high(high_list.begin(), high_list.end());
  std::map<GlobalIndex, std::set<GlobalIndex>> low_targets, sources_of_high;
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    if (high.count(edges.target[k]) == 1)
      sources_of_high[edges.target[k]].insert(edges.source[k]);
    else
      low_targets[edges.source[k]].insert(edges.target[k]);
  }
  const auto expectation = [parts](std::size_t neighbours) {
    return (parts - 1) * (1 - std::pow(1 - 1.0 / parts, static_cast<double>(neighbours)));
  };
  Replication result;
  for (const auto& [vertex, targets] : low_targets) result.row += expectation(targets.size());
  for (const auto& [vertex, sources] : sources_of_high) {
    result.column += expectation(sources.size());
    result.both += expectation(sources.size() + low_targets[vertex].size());
  }
  for (const auto& [vertex, targets] : low_targets)
    if (high.count(vertex) == 0) result.both += expectation(targets.size());
  return result;
}

TEST(HybridCut, ReplicasOnWorkersAreAsManyAsExpected) {
  const comm::Communicator communicator;
  const tests::Edges edges = skewed_targets(13, 10);
  const int workers = communicator.size();
  for (std::uint64_t threshold : {std::uint64_t{0}, std::uint64_t{10}, std::uint64_t{100}, kNoThreshold}) {
    Options options;
    options.partition = Partition::hybrid_cut;
    options.threshold = threshold;
    Placement placement(communicator, options);
    const SpaceId id = placement.space(std::uint64_t{1} << 13);
    const MatrixId m = placement.add_matrix(id, id, entries_read(edges, communicator, false));
    const Replication expected = expected_replicas(edges, threshold, workers);
    const Role row{m, Role::Side::row}, column{m, Role::Side::column};
    const auto found = [&](const RoleSet& roles) {
      return static_cast<double>(placement.stats().of(id, roles).replicas);
    };
    EXPECT_NEAR(found({row}), expected.row, 0.01 * expected.row) << "threshold " << threshold;
    EXPECT_NEAR(found({column}), expected.column, 0.01 * expected.column) << "threshold " << threshold;
    EXPECT_NEAR(found({row, column}), expected.both, 0.01 * expected.both) << "threshold " << threshold;
    if (threshold == 0) {
      EXPECT_EQ(found({row}), 0);
    }
    if (threshold == kNoThreshold) {
      EXPECT_EQ(found({column}), 0);
    }
    if (workers == 1) {
      EXPECT_EQ(found({row, column}), 0);
    }
    EXPECT_LT(placement.stats().matrices.at(0).imbalance, 1.25);
  }
}

/// Owners and cut are functions of the number of parts, so a cluster can be planned for without one.
TEST(HybridCut, ReplicasOn48PartsPlannedByOneWorker) {
  const comm::Communicator communicator;
  if (communicator.rank() != 0) return;
  constexpr int kParts = 48;
  const tests::Edges edges = skewed_targets(13, 10);
  const Assignment owners = Assignment::hash(1 << 13, kParts);
  for (std::uint64_t threshold : {std::uint64_t{10}, std::uint64_t{100}}) {
    const IndexSet high(high_by_definition(edges, threshold), 1 << 13, 1 << 20);
    const std::vector<Rank> parts = hybrid_cut(edges.source, edges.target, high, owners, owners);
    std::set<std::pair<Rank, GlobalIndex>> row, column, both;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      if (owners.owner(edges.source[k]) != parts[k]) row.emplace(parts[k], edges.source[k]);
      if (owners.owner(edges.target[k]) != parts[k]) column.emplace(parts[k], edges.target[k]);
    }
    both = row;
    both.insert(column.begin(), column.end());
    const Replication expected = expected_replicas(edges, threshold, kParts);
    EXPECT_NEAR(static_cast<double>(row.size()), expected.row, 0.01 * expected.row);
    EXPECT_NEAR(static_cast<double>(column.size()), expected.column, 0.01 * expected.column);
    EXPECT_NEAR(static_cast<double>(both.size()), expected.both, 0.01 * expected.both);
  }
}

}  // namespace
}  // namespace kasen::partition
