/// @file
/// How far workers go on in loops to a fixpoint: when they stop for each other, in which order they push what has been
/// improved, and how many supersteps that takes; with the results of serial loops.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "kasen/kasen.h"
#include "tests/kasen/fixpoint_loops.h"
#include "tests/kasen/search_runs.h"

namespace kasen::tests {
namespace {

int number_of_workers() {
  int workers = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  return workers;
}

/// A square in which each vertex is joined to the eight around it.
Graph wide_grid(std::uint64_t edge) {
  Graph graph{edge * edge, {}};
  for (std::uint64_t u = 0; u < graph.vertices; ++u) {
    const std::uint64_t row = u / edge, column = u % edge;
    for (std::uint64_t r = row == 0 ? 0 : row - 1; r < std::min(row + 2, edge); ++r) {
      for (std::uint64_t c = column == 0 ? 0 : column - 1; c < std::min(column + 2, edge); ++c)
        if (r != row || c != column) graph.add(u, r * edge + c);
    }
  }
  return graph;
}

Options in_blocks() {
  Options options;
  options.partition = Partition::block;
  return options;
}

/// Shortest ways from the first vertex, with vertices in blocks, beside the serial loop.
Outcome expect_shortest_ways(const Graph& graph, const std::function<GlobalIndex(std::size_t)>& weight,
                             const Options& options = in_blocks()) {
  const auto longer = [&](GlobalIndex x, std::size_t k) { return x == kFar ? kFar : x + weight(k); };
  const Whole lengths = serial(graph, from_first(graph.vertices, 0, kFar), kSmaller, longer);
  Outcome outcome = run(options, [&] {
    const auto G = graph.matrix([&](std::size_t k) { return static_cast<double>(weight(k)); });
    return whole(spread(KASEN_FN((auto x, auto w), x + w), min, G, at_first(G.rows(), 0.0, infinity)));
  });
  EXPECT_EQ(outcome.numbers, lengths);
  return outcome;
}

/// A worker stops while there is more to push on, and goes on in order in the next superstep: what it pushes again then
/// shows that too much had its turn at once. Else each element would be looked at 9 times, in 135 supersteps.
TEST(Settling, StopForOtherWorkersWhereThereIsMuch) {
  const Graph graph = wide_grid(120);
  const auto weight = [](std::size_t k) {
    return static_cast<GlobalIndex>(1 + (std::uint64_t{k} * 2654435761 >> 7) % 1000);
  };
  Options options = in_blocks();
  options.settled_entries = 3000;
  const Outcome outcome = expect_shortest_ways(graph, weight, options);
  EXPECT_GT(outcome.settled, graph.vertices / 2);
  EXPECT_LE(outcome.settled, 5 * graph.vertices);
  EXPECT_LE(outcome.entered, 60u);
}

/// Eight lanes of which two workers have four each, so that many shortest ways lead from one to the other and back: a
/// worker goes on only as far as it is worth while before it hears of the other, and the order holds over supersteps.
/// On 2 and 3 workers that takes 17 and 63 supersteps, in which each element is looked at 5 and 24 times; if they went
/// on as far as they can, 597 and 234, and 14 and 79 times.
TEST(Settling, GoOnBesideALongBorder) {
  const Graph graph = mirrored(grid(8, 800));
  const auto weight = [](std::size_t k) {
    return static_cast<GlobalIndex>(1 + (std::uint64_t{k} * 2654435761 >> 9) % 1000000);
  };
  const Outcome outcome = expect_shortest_ways(graph, weight);
  const int workers = number_of_workers();
  if (workers <= 3) {
    EXPECT_GT(outcome.settled, graph.vertices / 2);
    EXPECT_LE(outcome.settled, (workers < 3 ? 10 : 40) * graph.vertices);
    EXPECT_LE(outcome.entered, 150u);
  }
}

/// A worker that stops after each improvement, and after each few, goes on with what waits.
TEST(Settling, StopAfterFewNonZeros) {
  const auto weight = [](std::size_t k) { return static_cast<GlobalIndex>(1 + k * 7919 % 1009 * 31 % 255); };
  for (const std::uint64_t entries : {0, 9, 100}) {
    Options options = in_blocks();
    options.settled_entries = entries;
    const Outcome outcome = expect_shortest_ways(mirrored(grid(12, 30)), weight, options);
    EXPECT_GT(outcome.settled, 0u);
  }
}

/// All vertices are joined, and the shortest way visits each on it, so that nearly all are improved in each iteration.
/// Then one worker walks the matrix; more have so few non-zeros each that they push them sooner.
TEST(Settling, PushInAnyCaseAfterSoManyWalks) {
  constexpr std::uint64_t kVertices = 60;
  Graph graph{kVertices, {}};
  for (std::uint64_t u = 0; u < kVertices; ++u) {
    for (std::uint64_t v = u + 1; v < kVertices; ++v) graph.add(u, v);
  }
  const auto weight = [&](std::size_t k) {
    const GlobalIndex length = graph.edges[k].second - graph.edges[k].first;
    return length * length;
  };
  Options options = in_blocks();
  for (const std::uint64_t walks : {std::uint64_t{0}, std::uint64_t{3}, Options().settled_walks}) {
    options.settled_walks = walks;
    const Outcome outcome = expect_shortest_ways(graph, weight, options);
    if (number_of_workers() == 1) {
      EXPECT_EQ(outcome.walked, walks);
    }
    EXPECT_LE(outcome.walked, walks);
  }
  options.settled_walks = kVertices;
  const Outcome outcome = expect_shortest_ways(graph, weight, options);
  if (number_of_workers() == 1) {
    EXPECT_GT(outcome.walked, Options().settled_walks);
  }
}

/// Long edges make ways of few edges that are improved later: what is pushed at all is mostly pushed once.
TEST(Settling, TheNearestGoOnFirst) {
  const Graph graph = mirrored(grid(70, 70));
  const auto weight = [](std::size_t k) { return static_cast<GlobalIndex>(1 + k * 7919 % 1009 * 31 % 255); };
  const Outcome outcome = expect_shortest_ways(graph, weight);
  EXPECT_GT(outcome.settled, graph.vertices / 2);
  if (number_of_workers() == 1) {
    EXPECT_LE(outcome.settled, 2 * graph.vertices);
  }
  Whole other_way(outcome.numbers);
  for (GlobalIndex& length : other_way) length = -length;
  const Outcome greatest = run(in_blocks(), [&] {
    const auto G = graph.matrix([&](std::size_t k) { return -static_cast<float>(weight(k)); });
    const auto longest = spread(KASEN_FN((auto x, auto w), x + w), max, G, at_first(G.rows(), 0.0f, -1e30f));
    return map([](float v) { return static_cast<GlobalIndex>(v); }, longest).get();
  });
  EXPECT_EQ(greatest.numbers, other_way);
}

/// Longest ways become better with each edge: the best of them go last. Step by step it takes as many iterations as the
/// longest way has edges, and if the best went first, elements would be
/// looked at 246 times on one worker, and 96 times on two that stop soon; so they are 42 and 20 times.
TEST(Settling, LongestWaysAreNotPushedAgainForEachWay) {
  constexpr std::uint64_t kVertices = 4000;
  const auto name = [](std::uint64_t v) { return v * 1009 % kVertices; };
  Graph graph{kVertices, {}};
  for (std::uint64_t v = 0; v + 1 < kVertices; ++v) {
    for (std::uint64_t k = 0; k < 4; ++k)
      graph.add(name(v), name(std::min(v + 1 + (v * 7919 + k * 104729) % 50, kVertices - 1)));
  }
  const auto weight = [](std::size_t k) { return static_cast<GlobalIndex>(1 + k * 7919 % 1009 % 100); };
  constexpr GlobalIndex kNone = -1;
  const Whole lengths = serial(
      graph, from_first(kVertices, 0, kNone), [](GlobalIndex a, GlobalIndex b) { return std::max(a, b); },
      [&](GlobalIndex x, std::size_t k) { return x == kNone ? kNone : x + weight(k); });
  for (const std::uint64_t entries : {std::uint64_t{300}, Options().settled_entries}) {
    Options options = in_blocks();
    options.settled_entries = entries;
    const Outcome outcome = run(options, [&] {
      const auto G = graph.matrix([&](std::size_t k) { return static_cast<double>(weight(k)); });
      const auto longest = spread(KASEN_FN((auto x, auto w), x + w), max, G, at_first(G.rows(), 0.0, -infinity));
      return map([](double v) { return v == -infinity ? kNone : static_cast<GlobalIndex>(v); }, longest).get();
    });
    EXPECT_EQ(outcome.numbers, lengths);
    EXPECT_LE(outcome.settled, 60 * kVertices) << entries;
  }
}

/// A superstep for each worker whose part the path leads through, and one in which nothing changes.
TEST(Settling, TakeFewSupersteps) {
  const Graph graph = grid(1, 3000);
  const int workers = number_of_workers();
  const Outcome outcome = run(in_blocks(), [&] {
    const auto G = graph.matrix();
    return whole(spread(first, logical_or, G, at_first(G.rows(), true, false)));
  });
  EXPECT_EQ(outcome.numbers, Whole(graph.vertices, 1));
  EXPECT_LE(outcome.entered, static_cast<std::uint64_t>(workers) + 1);
  EXPECT_LE(outcome.settled, graph.vertices);
  EXPECT_LE(outcome.told, 3 * static_cast<std::uint64_t>(workers)) << "what was pushed on is not pushed again";
}

/// Plans without delta iterations, in which nothing settles, may be predicted to take a little less time.
TEST(Settling, TakeFewSuperstepsWhateverPlanIsSearchedFor) {
  const Graph graph = grid(1, 8084);
  for (const Partition partition : {Partition::block, Partition::range, Partition::range_column}) {
    Options options;
    options.partition = partition;
    options.fusion = Fusion::exact;
    const Outcome outcome = expect_shortest_ways(
        graph, [](std::size_t) { return GlobalIndex{1}; }, options);
    EXPECT_GT(outcome.settled, 0u);
    EXPECT_LE(outcome.entered, 2 * static_cast<std::uint64_t>(number_of_workers()) + 1);
  }
}

}  // namespace
}  // namespace kasen::tests
