/// @file
/// The graph suite's verifiers find what is wrong: a right result holds, and every change of it is noticed.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "apps/graphs/verify.h"

namespace apps {
namespace {

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
}

}  // namespace
}  // namespace apps
