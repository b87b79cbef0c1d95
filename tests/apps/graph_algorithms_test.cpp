/// @file
/// The algorithms of the graph suite under a spread of options, against plain loops.
#include <algorithm>
#include <cmath>
#include <queue>

#include "apps/graphs/bfs.h"
#include "apps/graphs/components.h"
#include "apps/graphs/hits.h"
#include "apps/graphs/label_propagation.h"
#include "apps/graphs/sssp.h"
#include "apps/pagerank/personalised.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

std::size_t at(GlobalIndex v) { return static_cast<std::size_t>(v); }

/// Edges, and the same backwards if `both`.
template <class T>
std::vector<Entry<T>> ways(const Sparse<T>& graph, bool both) {
  auto edges = graph.entries;
  for (std::size_t e = 0, forward = edges.size(); both && e < forward; ++e) {
    edges.push_back(edges[e]);
    std::swap(edges.back().row, edges.back().column);
  }
  return edges;
}

apps::Stopping after(std::uint64_t iterations) {
  apps::Stopping stopping;
  stopping.iterations = iterations;
  return stopping;
}

/// Level by level, in plain loops.
void expect_search(const apps::Search& search, const Sparse<Pattern>& graph, GlobalIndex source, bool undirected) {
  std::vector<std::int32_t> level(graph.height, -1);
  std::vector<GlobalIndex> parent(graph.height, -1);
  level[at(source)] = 0, parent[at(source)] = source;
  const auto edges = ways(graph, undirected);
  for (std::int32_t depth = 1; depth <= static_cast<std::int32_t>(graph.height); ++depth) {
    for (const auto& e : edges) {
      if (level[at(e.row)] != depth - 1 || (level[at(e.column)] >= 0 && level[at(e.column)] != depth)) continue;
      auto& p = parent[at(e.column)];
      p = level[at(e.column)] < 0 ? e.row : std::min(p, e.row);
      level[at(e.column)] = depth;
    }
  }
  EXPECT_EQ(search.level.get(), level);
  EXPECT_EQ(search.parent.get(), parent);
  EXPECT_EQ(search.reached.get(), std::count_if(level.begin(), level.end(), [](auto l) { return l >= 0; }));
}

TEST_P(EndToEnd, SearchGivesLevelsAndTheSmallestParents) {
  const auto graph = small_graph(6, 1, 9);
  const auto G = graph.distribute();
  for (const bool undirected : {false, true}) {
    constexpr GlobalIndex kSource = 5;
    expect_search(apps::bfs(G, kSource, undirected), graph, kSource, undirected);
  }
}

/// More levels than are searched in turn, with two ways from many of them to the next.
TEST_P(EndToEnd, SearchGoesOnToTheLastLevel) {
  constexpr GlobalIndex kLevels = 100, kVertices = 2 * kLevels;
  Sparse<Pattern> ladder{kVertices, kVertices, {}};
  for (GlobalIndex v = 0; v + 2 < kVertices; ++v) {
    ladder.entries.push_back({v, v + 2});
    if (v % 3 == 0) ladder.entries.push_back({v, (v ^ 1) + 2});
  }
  const auto G = ladder.distribute();
  for (const bool undirected : {false, true}) {
    const GlobalIndex source = undirected ? kVertices - 2 : 0;
    expect_search(apps::bfs(G, source, undirected), ladder, source, undirected);
  }
}

/// What is found is gathered; then the frontier, its active elements and their number go on together, of the first two
/// only what is new.
TEST(Search, TakesTwoExchangesALevel) {
  Options options;
  options.quiet = true;
  options.partition = Partition::hybrid_cut;
  options.threshold = 10;
  Session session(options);
  const auto graph = small_graph(6, 1, 9);
  expect_search(apps::bfs(graph.distribute(), 5, false), graph, 5, false);
  if (session.workers() == 1) return;  // nothing is exchanged
  std::vector<const optimizer::Exchange*> exchanges;
  for (const optimizer::Step& step : session.engine().plans().at(0)->plan.steps) {
    const auto* const loop = std::get_if<optimizer::Loop>(&step.what);
    for (std::size_t k = 0; loop != nullptr && k < loop->body.size(); ++k) {
      if (const auto* const exchange = std::get_if<optimizer::Exchange>(&loop->body[k].what))
        exchanges.push_back(exchange);
    }
    if (loop != nullptr) break;
  }
  ASSERT_EQ(exchanges.size(), 2u) << session.plan_text();
  for (const optimizer::Exchange* const exchange : exchanges) EXPECT_TRUE(exchange->sparse) << session.plan_text();
  EXPECT_EQ(exchanges[1]->scatters.size(), 2u);
  EXPECT_EQ(exchanges[1]->reductions.size(), 1u);
}

TEST_P(EndToEnd, ShortestPathsAreDijkstras) {
  auto roads = small_matrix(50, 50, 130, 6);
  for (auto& e : roads.entries) e.value = std::abs(e.value);  // some are 0
  const auto R = roads.distribute();
  for (const bool undirected : {false, true}) {
    std::vector<double> distance(50, infinity);
    distance[3] = 0;
    const auto edges = ways(roads, undirected);
    std::priority_queue<std::pair<double, GlobalIndex>> queue;
    for (queue.push({0, 3}); !queue.empty();) {
      const auto [negative, from] = queue.top();
      queue.pop();
      for (const auto& e : edges) {
        if (e.row != from || e.value - negative >= distance[at(e.column)]) continue;
        distance[at(e.column)] = e.value - negative;
        queue.push({negative - e.value, e.column});
      }
    }
    const apps::Paths paths = apps::sssp(R, 3, undirected);
    EXPECT_EQ(paths.distance.get(), distance);
    const auto parent = apps::parents(R, 3, undirected, paths.distance).get();
    for (std::size_t v = 0; v < 50; ++v) {
      EXPECT_EQ(parent[v] >= 0, distance[v] < infinity);
      if (v == 3 || parent[v] < 0) continue;
      EXPECT_TRUE(std::any_of(edges.begin(), edges.end(), [&](const auto& e) {
        return e.row == parent[v] && at(e.column) == v && distance[at(e.row)] + e.value == distance[v];
      }));
      GlobalIndex up = parent[v];
      for (int k = 0; k < 50 && up != 3; ++k) up = parent[at(up)];
      EXPECT_EQ(up, 3) << "the parents of " << v << " do not lead to the source";
    }
  }
}

TEST_P(EndToEnd, ParentsAlongEdgesOfLengthNothing) {
  // 1 leads to a circle of length 0, whose vertices are as far from it as each other, and 9 leads nowhere.
  const Sparse<double> graph{
      10, 10, {{1, 7, 2}, {7, 4, 0}, {4, 8, 0}, {8, 7, 0}, {8, 2, 0}, {4, 2, 0}, {2, 5, 1}, {1, 5, 3}}};
  const auto G = graph.distribute();
  const apps::Paths paths = apps::sssp(G, 1, false);
  EXPECT_EQ(paths.reached.get(), 6);
  EXPECT_EQ(apps::parents(G, 1, false, paths.distance).get(),
            (std::vector<GlobalIndex>{-1, 1, 4, -1, 7, 1, -1, 1, 4, -1}));
}

TEST_P(EndToEnd, ComponentsAndTheirSizes) {
  const auto graph = small_graph(6, 1, 4);
  const auto G = graph.distribute();
  std::vector<GlobalIndex> label(graph.height), size(graph.height);
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<GlobalIndex>(v);
  for (std::size_t round = 0; round < label.size(); ++round) {
    for (const auto& e : graph.entries)
      label[at(e.row)] = label[at(e.column)] = std::min(label[at(e.row)], label[at(e.column)]);
  }
  for (const GlobalIndex l : label) ++size[at(l)];
  const apps::Components found = apps::components(G);
  EXPECT_EQ(found.label.get(), label);
  EXPECT_EQ(found.count.get(), std::count_if(size.begin(), size.end(), [](auto s) { return s > 0; }));
  EXPECT_EQ(apps::component_sizes(found.label).get(), size);
}

TEST_P(EndToEnd, ComponentsOfAStarAndTwoPaths) {
  // The vertex of most edges is not in the largest component, and has not the smallest index of its own.
  Sparse<Pattern> graph{40, 40, {}};
  for (const GlobalIndex leaf : {3, 9, 21, 22}) graph.entries.push_back({leaf, 30});
  for (GlobalIndex v = 4; v < 8; ++v) graph.entries.push_back({v + 1, v});
  for (GlobalIndex v = 10; v < 20; ++v) graph.entries.push_back({v, v + 1});
  const apps::Components found = apps::components(graph.distribute());
  std::vector<GlobalIndex> label(40);
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<GlobalIndex>(v);
  for (const std::size_t v : {3, 9, 21, 22, 30}) label[v] = 3;
  for (std::size_t v = 4; v <= 8; ++v) label[v] = 4;
  for (std::size_t v = 10; v <= 20; ++v) label[v] = 10;
  EXPECT_EQ(found.label.get(), label);
  EXPECT_EQ(found.count.get(), 40 - 4 - 4 - 10);
}

TEST_P(EndToEnd, ComponentsOfAGraphWithoutEdges) {
  const Sparse<Pattern> graph{4, 4, {}};
  const apps::Components found = apps::components(graph.distribute());
  EXPECT_EQ(found.label.get(), (std::vector<GlobalIndex>{0, 1, 2, 3}));
  EXPECT_EQ(found.count.get(), 4);
}

TEST_P(EndToEnd, HitsAreThoseOfPlainLoops) {
  const auto graph = small_graph(6, 4, 2);
  const auto G = graph.distribute();
  const auto normalised = [](std::vector<double> v) {
    const double norm = std::sqrt(dot(v, v));
    for (double& x : v) x /= norm;
    return v;
  };
  std::vector<double> hub = normalised(std::vector<double>(graph.height, 1.0)), authority;
  for (int k = 0; k < 7; ++k) {
    authority = normalised(serial_mxv(graph, kSame, kAdd, 0.0, hub));
    hub = normalised(serial_mxvt(graph, kSame, kAdd, 0.0, authority));
  }
  const apps::Hits found = apps::hits(G, after(7));
  EXPECT_TRUE(near(found.hub.get(), hub, kAgreement, 1e-3));
  EXPECT_TRUE(near(found.authority.get(), authority, kAgreement, 1e-3));
  EXPECT_LT(found.change.get(), 1);
}

TEST_P(EndToEnd, HitsOfAGraphWithoutEdges) {
  const Sparse<Pattern> graph{4, 4, {}};
  const apps::Hits found = apps::hits(graph.distribute(), after(3));
  EXPECT_EQ(found.hub.get(), std::vector<double>(4, 0.0));
  EXPECT_EQ(found.change.get(), 0);
}

/// Of so many classes, which take two vectors of scores from 9 on.
void propagate_labels(std::int32_t classes, bool directed) {
  auto graph = small_matrix(40, 40, 120, 3);
  for (auto& e : graph.entries) e.value = std::abs(e.value);
  const auto G = graph.distribute();
  std::vector<std::int32_t> seed(40, -1);
  for (std::int32_t c = 0; c < classes; ++c) seed[static_cast<std::size_t>(c) * 3] = c;
  const BlockRange mine = block_of(G.rows());
  const auto seeds = make_vector<std::int32_t>(G.rows(), std::span(seed).subspan(at(mine.first), mine.count));

  const auto edges = ways(graph, !directed);
  std::vector<std::vector<double>> want(static_cast<std::size_t>(classes), std::vector<double>(40));
  for (std::size_t c = 0; c < want.size(); ++c) {
    auto& y = want[c];
    for (std::size_t v = 0; v < 40; ++v) y[v] = seed[v] == static_cast<std::int32_t>(c) ? 1 : 0;
    for (int k = 0; k < 6; ++k) {
      std::vector<double> sum(40), weight(40);
      for (const auto& e : edges) sum[at(e.column)] += e.value * y[at(e.row)], weight[at(e.column)] += e.value;
      for (std::size_t v = 0; v < 40; ++v) {
        if (seed[v] < 0) y[v] = weight[v] > 0 ? sum[v] / weight[v] : 0;
      }
    }
  }
  const apps::Labels labels = apps::label_propagation(G, seeds, classes, directed, after(6));
  std::vector<double> highest(40);
  for (std::int32_t c = 0; c < classes; ++c) {
    const auto score = labels.score(c).get();
    EXPECT_TRUE(near(score, want[static_cast<std::size_t>(c)], kAgreement, 1e-3));
    for (std::size_t v = 0; v < 40; ++v) highest[v] = std::max(highest[v], score[v]);
  }
  const auto best = labels.best().get();
  for (std::size_t v = 0; v < 40; ++v) {
    EXPECT_EQ(best[v] < 0, highest[v] == 0);
    if (best[v] < 0) continue;
    EXPECT_NEAR(want[static_cast<std::size_t>(best[v])][v], highest[v], 1e-12);
  }
}
TEST_P(EndToEnd, LabelsOfFewClasses) { propagate_labels(3, false); }
TEST_P(EndToEnd, LabelsOfManyClassesAlongEdges) { propagate_labels(10, true); }

TEST_P(EndToEnd, PersonalisedRanksOfSeveralSources) {
  const auto graph = small_graph(6, 3, 5);
  const auto G = graph.distribute();
  const std::vector<GlobalIndex> sources = {7, 0, 40};
  std::vector<double> degree(graph.height);
  for (const auto& e : graph.entries) ++degree[at(e.row)];
  for (const bool redistribute : {false, true}) {
    const auto found = apps::personalised_pagerank(G, sources, 0.85, redistribute, after(5));
    for (std::size_t s = 0; s < sources.size(); ++s) {
      std::vector<double> rank(graph.height);
      rank[at(sources[s])] = 1;
      for (int k = 0; k < 5; ++k) {
        std::vector<double> next(graph.height);
        double lost = 0;
        for (const auto& e : graph.entries) next[at(e.column)] += 0.85 * rank[at(e.row)] / degree[at(e.row)];
        for (std::size_t v = 0; v < rank.size(); ++v) lost += degree[v] == 0 ? rank[v] : 0;
        next[at(sources[s])] += 0.15 + (redistribute ? 0.85 * lost : 0);
        rank = next;
      }
      EXPECT_TRUE(near(found.ranks[s].get(), rank, kAgreement, 1e-3));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Spread, EndToEnd, testing::ValuesIn(spread()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace kasen::tests
