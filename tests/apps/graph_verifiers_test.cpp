/// @file
/// The verifiers of pagerank and of the graph suite find what is wrong: a right result holds, and every change of it is
/// noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "apps/graphs/verify.h"
#include "apps/pagerank/verify.h"
#include "kasen/workers.h"
#include "tests/io/temporary_directory.h"

namespace apps {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using kasen::GlobalIndex;
using Levels = std::vector<std::int32_t>;
using Parents = std::vector<GlobalIndex>;
using Scores = std::vector<double>;

/// 0 -> 1 -> 2 -> 3, 0 -> 2 the long way, 3 -> 1 back; 4 -> 5 apart. Edges are dealt to the workers in turn.
class GraphVerifiers : public testing::Test {
 protected:
  void SetUp() override {
    _session.emplace(kasen::Options());
    const auto workers = static_cast<std::size_t>(_session->workers());
    const std::vector<GlobalIndex> source = {0, 1, 2, 0, 3, 4}, target = {1, 2, 3, 2, 1, 5};
    const std::vector<double> weight = {1, 1, 0, 5, 0, 1};
    edges.vertices = 6;
    for (auto e = static_cast<std::size_t>(_session->rank()); e < source.size(); e += workers) {
      edges.source.push_back(source[e]);
      edges.target.push_back(target[e]);
      edges.weight.push_back(weight[e]);
    }
  }
  bool search(const Levels& level, const Parents& parent) const {
    return verify_bfs(edges, 0, level, parent, false).holds;
  }
  bool paths(const Scores& distance, const Parents& parent) const {
    return verify_sssp(edges, 0, distance, parent, false).holds;
  }
  Edges edges;

 private:
  std::optional<kasen::Session> _session;
};

TEST_F(GraphVerifiers, Searches) {
  EXPECT_TRUE(search({0, 1, 1, 2, -1, -1}, {0, 0, 0, 2, -1, -1}));
  EXPECT_FALSE(search({0, 1, 2, 3, -1, -1}, {0, 0, 1, 2, -1, -1}));    // 0 -> 2 spans two levels
  EXPECT_FALSE(search({0, 1, 1, 2, -1, -1}, {0, 0, 0, 1, -1, -1}));    // no edge 1 -> 3
  EXPECT_FALSE(search({0, 1, 1, 1, -1, -1}, {0, 0, 0, 2, -1, -1}));    // 3 beside its parent
  EXPECT_FALSE(search({0, 1, 1, -1, -1, -1}, {0, 0, 0, -1, -1, -1}));  // 3 is reached
  EXPECT_FALSE(search({0, 1, 1, 2, 1, -1}, {0, 0, 0, 2, 0, -1}));      // 4 is not
  EXPECT_FALSE(search({0, 1, 1, 2, -1, -1}, {0, 0, 0, 2, 5, -1}));     // a parent of what is not reached
  EXPECT_FALSE(search({0, 1, 1, 2, -1, -1}, {-1, 0, 0, 2, -1, -1}));   // the source has none
  EXPECT_TRUE(verify_bfs(edges, 5, Levels{-1, -1, -1, -1, 1, 0}, Parents{-1, -1, -1, -1, 5, 5}, true).holds);
}

TEST_F(GraphVerifiers, Paths) {
  constexpr double kFar = kasen::infinity;
  EXPECT_TRUE(paths({0, 1, 2, 2, kFar, kFar}, {0, 0, 1, 2, -1, -1}));
  EXPECT_FALSE(paths({0, 1, 5, 5, kFar, kFar}, {0, 0, 0, 2, -1, -1}));  // 1 -> 2 is shorter
  EXPECT_FALSE(paths({0, 1, 2, 2, kFar, kFar}, {0, 0, 0, 2, -1, -1}));  // over 0 it is 5
  EXPECT_FALSE(paths({0, 1, 1.5, 1.5, kFar, kFar}, {0, 0, 1, 2, -1, -1}));
  EXPECT_FALSE(paths({0, 1, 2, kFar, kFar, kFar}, {0, 0, 1, -1, -1, -1}));
  EXPECT_FALSE(paths({0, 1, 2, 2, 7, kFar}, {0, 0, 1, 2, -1, -1}));
  EXPECT_FALSE(paths({0, 1, 2, 2, kNan, kFar}, {0, 0, 1, 2, -1, -1}));
  EXPECT_FALSE(paths({0, 1, kNan, kNan, kFar, kFar}, {0, 0, -1, -1, -1, -1}));
  edges.weight.assign(edges.weight.size(), 0.0);
  EXPECT_TRUE(paths({0, 0, 0, 0, kFar, kFar}, {0, 0, 1, 2, -1, -1}));
  EXPECT_FALSE(paths({0, 0, 0, 0, kFar, kFar}, {0, 3, 1, 2, -1, -1}));  // 1, 2 and 3 lead to each other
}

TEST_F(GraphVerifiers, Components) {
  EXPECT_TRUE(verify_components(edges, Parents{0, 0, 0, 0, 4, 4}, 2).holds);
  EXPECT_FALSE(verify_components(edges, Parents{0, 0, 0, 0, 4, 4}, 3).holds);
  EXPECT_FALSE(verify_components(edges, Parents{1, 1, 1, 1, 4, 4}, 2).holds);
  EXPECT_FALSE(verify_components(edges, Parents{0, 0, 0, 3, 4, 4}, 3).holds);
  EXPECT_FALSE(verify_components(edges, Parents{0, 0, 0, 0, 0, 0}, 1).holds);
}

TEST_F(GraphVerifiers, Hits) {
  edges.weight.assign(edges.weight.size(), 1.0);
  // 1 and 2 are pointed to by 0, and 2 by 1, 1 by 3: a = (0, s, s, 0, 0, 0) and h = (2, 1, 0, 1, 0, 0) / sqrt(6).
  const double s = std::sqrt(0.5), t = 1 / std::sqrt(6.0);
  EXPECT_TRUE(verify_hits(edges, Scores{2 * t, t, 0, t, 0, 0}, Scores{0, s, s, 0, 0, 0}, 0).holds);
  EXPECT_FALSE(verify_hits(edges, Scores{t, 2 * t, 0, t, 0, 0}, Scores{0, s, s, 0, 0, 0}, 0).holds);
  EXPECT_FALSE(verify_hits(edges, Scores{0, 0, 1, 0, 0, 0}, Scores{0, 0, 0, 1, 0, 0}, -1).holds);
  EXPECT_FALSE(verify_hits(edges, Scores{1, 0, 0, 0, 0, 0}, Scores{0, 1, 0, 0, 0, 0}, 0.1).holds);
  EXPECT_FALSE(verify_hits(edges, Scores{2 * t, t, 0, t, 0, kNan}, Scores{0, s, s, 0, 0, 0}, 0).holds);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(verify_hits(edges, Scores(6, t), Scores(6, 0.0), infinite).holds);
  EXPECT_FALSE(verify_hits(edges, Scores{2 * t, t, 0, t, 0, 0}, Scores(6, 0.0), infinite).holds);
  EXPECT_FALSE(verify_hits(edges, Scores(6, t), Scores{0, s, s, 0, 0, 0}, infinite).holds);
  EXPECT_FALSE(verify_hits(edges, Scores{2 * t, t, 0, t, 0, 0}, Scores{0, s, s, 0, 0, kNan}, 0).holds);
}

TEST_F(GraphVerifiers, ScoresOfAClass) {
  edges.weight.assign(edges.weight.size(), 1.0);
  const Levels seed = {0, -1, 1, -1, -1, -1};
  const auto weight = neighbour_weights(edges, true);
  EXPECT_EQ(weight, (Scores{0, 2, 2, 1, 0, 1}));
  // Along edges: 1 has 0 and 3, 3 has 2, which is of class 1.
  EXPECT_TRUE(verify_scores(edges, Scores{1, 0.5, 0, 0, 0, 0}, weight, seed, 0, true, 0).holds);
  EXPECT_FALSE(verify_scores(edges, Scores{1, 0.4, 0, 0, 0, 0}, weight, seed, 0, true, 0.05).holds);
  EXPECT_TRUE(verify_scores(edges, Scores{1, 0.4, 0, 0, 0, 0}, weight, seed, 0, true, 0.15).holds);
  EXPECT_FALSE(verify_scores(edges, Scores{0.9, 0.45, 0, 0, 0, 0}, weight, seed, 0, true, 0).holds);
  EXPECT_FALSE(verify_scores(edges, Scores{1, 0.5, 0.1, 0.1, 0, 0}, weight, seed, 0, true, 0.2).holds);
  EXPECT_TRUE(verify_scores(edges, Scores{0, 0.5, 1, 1, 0, 0}, weight, seed, 1, true, 0).holds);
  EXPECT_FALSE(verify_scores(edges, Scores{1, kNan, 0, 0, 0, 0}, weight, seed, 0, true, 0).holds);
  EXPECT_FALSE(verify_scores(edges, Scores{1, 0.5, 0, 0, 0, kNan}, weight, seed, 0, true, 0).holds);
}

/// 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 0, 2 -> 3, from where nothing leads on. With a damping factor of 1/2 every definition
/// is a small system of equations; the ranks below solve them by hand.
class RankVerifier : public testing::Test {
 protected:
  void SetUp() override {
    _session.emplace(kasen::Options());
    _folder.emplace(kasen::workers::communicator());
    graph = _folder->write("graph.txt", "0 1\n0 2\n1 2\n2 0\n2 3\n");
  }
  bool holds(const Scores& ranks, double change, const RankDefinition& definition) const {
    return pagerank_residual(graph, {}, ranks, change, definition).holds();
  }
  bool holds_from(const std::vector<GlobalIndex>& sources, const std::vector<Scores>& ranks, bool redistribute) const {
    bool all = true;
    for (const auto& residual : personalised_residuals(graph, {}, ranks, sources, 0, {0.5, true, redistribute}))
      all = all && residual.holds();
    return all;
  }
  std::string graph;
  /// As in the paper: r0 = r3 = 1/2 + r2/4, r1 = 1/2 + r0/4, r2 = 1/2 + r0/4 + r1/2.
  const Scores lost = {22.0 / 29, 20.0 / 29, 30.0 / 29, 22.0 / 29};
  /// The same with (1 + r3)/8 instead of each 1/2.
  const Scores spread = {11.0 / 47, 10.0 / 47, 15.0 / 47, 11.0 / 47};

 private:
  std::optional<kasen::Session> _session;
  std::optional<kasen::io::TemporaryDirectory> _folder;
};

TEST_F(RankVerifier, Definitions) {
  const Scores to_one = {lost[0] / 4, lost[1] / 4, lost[2] / 4, lost[3] / 4};
  const Scores to_four = {4 * spread[0], 4 * spread[1], 4 * spread[2], 4 * spread[3]};
  const std::pair<RankDefinition, Scores> rights[] = {{{0.5, false, false}, lost},
                                                      {{0.5, true, false}, to_one},
                                                      {{0.5, true, true}, spread},
                                                      {{0.5, false, true}, to_four}};
  for (const auto& [definition, right] : rights) {
    for (const auto& [other, ranks] : rights) EXPECT_EQ(holds(ranks, 0, definition), &ranks == &right);
    EXPECT_FALSE(holds(right, 0, {0.501, definition.normalize, definition.redistribute}));
  }
}

TEST_F(RankVerifier, WrongRanks) {
  const RankDefinition definition{0.5, false, false};
  const auto is_wrong = [&](Scores ranks) { return !holds(ranks, 0, definition); };
  for (std::size_t v = 0; v < lost.size(); ++v) {
    for (const double wrong : {lost[v] * (1 + 1e-9), lost[v] * (1 - 1e-9), -lost[v], 0.0, 1.0, kNan, kasen::infinity}) {
      Scores ranks = lost;
      ranks[v] = wrong;
      EXPECT_TRUE(is_wrong(ranks)) << v << ": " << wrong;
    }
  }
  EXPECT_TRUE(is_wrong({lost[1], lost[0], lost[2], lost[3]}));
  EXPECT_TRUE(is_wrong({lost[0], lost[1], lost[3], lost[2]}));   // the one without out-edges
  EXPECT_FALSE(is_wrong({lost[3], lost[1], lost[2], lost[0]}));  // equal ones
  EXPECT_TRUE(is_wrong({2 * lost[0], 2 * lost[1], 2 * lost[2], 2 * lost[3]}));
  EXPECT_TRUE(is_wrong({0, 0, 0, 0}));
  EXPECT_TRUE(is_wrong({lost[0], lost[1], lost[2]}));
  EXPECT_TRUE(is_wrong({lost[0], lost[1], lost[2], lost[3], 0.5}));
  EXPECT_TRUE(is_wrong({}));
  EXPECT_FALSE(holds(lost, kNan, definition));
}

/// An error e of a rank adds e, and e/2 to what those it is passed on to get.
TEST_F(RankVerifier, AsFarAsTheLastChangeAllows) {
  const double change = 1e-3;
  for (std::size_t v = 0; v < lost.size(); ++v) {
    const double just = 0.5 * change / (v == 3 ? 1 : 1.5);
    for (const double sign : {1.0, -1.0}) {
      Scores ranks = lost;
      ranks[v] = lost[v] + sign * 0.999 * just;
      EXPECT_TRUE(holds(ranks, change, {0.5, false, false})) << v;
      ranks[v] = lost[v] + sign * 1.001 * just;
      EXPECT_FALSE(holds(ranks, change, {0.5, false, false})) << v;
    }
  }
}

/// r1 = r0/4, r2 = r0/4 + r1/2, r3 = r2/4, and r0 = 1/2 + r2/4, to which 3 gives r3/2 back if nothing is lost.
TEST_F(RankVerifier, OfSources) {
  const Scores given_back = {32.0 / 55, 8.0 / 55, 12.0 / 55, 3.0 / 55},
               lossy = {16.0 / 29, 4.0 / 29, 6.0 / 29, 1.5 / 29};
  EXPECT_TRUE(holds_from({0}, {given_back}, true));
  EXPECT_TRUE(holds_from({0}, {lossy}, false));
  EXPECT_TRUE(holds_from({3, 0}, {{0, 0, 0, 1}, given_back}, true));
  EXPECT_FALSE(holds_from({0}, {given_back}, false));
  EXPECT_FALSE(holds_from({0}, {lossy}, true));
  EXPECT_FALSE(holds_from({1}, {given_back}, true));
  EXPECT_FALSE(holds_from({0, 3}, {{0, 0, 0, 1}, given_back}, true));  // the sources the other way round
  EXPECT_FALSE(holds_from({3, 0}, {{0, 0, 0, 1}, {given_back[0], given_back[1], given_back[3], given_back[2]}}, true));
  EXPECT_FALSE(holds_from({3, 0}, {{0, 0, 0, 1}, {given_back[0], given_back[1], given_back[2], kNan}}, true));
  EXPECT_FALSE(holds_from({3, 0}, {{0, 0, 0, 1}, {given_back[0], given_back[1], given_back[2]}}, true));
}

}  // namespace
}  // namespace apps
