/// @file
/// Loops in which values spread both ways along non-zeros as they are: each worker finds once what these connect, and
/// passes on to all of that, with the results of serial loops and the counts that plans predict. Loops that are nearly
/// like them do not.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "kasen/kasen.h"
#include "tests/kasen/fixpoint_loops.h"
#include "tests/kasen/search_runs.h"

namespace kasen::tests {
namespace {

std::uint64_t number_of_workers() {
  int workers = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  return static_cast<std::uint64_t>(workers);
}

/// Several pieces, some of one vertex, with edges to themselves and twice.
Graph pieces() {
  Graph graph = grid(5, 9);
  const Graph tail = path(40);
  for (const auto& [a, b] : tail.edges)
    graph.add(graph.vertices + static_cast<std::uint64_t>(a), graph.vertices + static_cast<std::uint64_t>(b));
  graph.vertices += tail.vertices + 7;
  graph.add(3, 3);
  graph.add(0, 1);
  graph.add(0, 1);
  graph.add(graph.vertices - 1, graph.vertices - 1);
  graph.add(graph.vertices - 2, graph.vertices - 4);
  return graph;
}

std::vector<Graph> graphs() { return {path(151), grid(9, 17), comet(), pieces(), Graph{30, {}}}; }

Whole numbers_of(std::uint64_t n, const std::function<GlobalIndex(GlobalIndex)>& f) {
  Whole all(n);
  for (std::size_t v = 0; v < n; ++v) all[v] = f(static_cast<GlobalIndex>(v));
  return all;
}

/// Under all options: wherever elements that change are followed, what is connected is found once.
void expect(const Whole& reference, const std::function<Whole()>& compute, std::uint64_t connected = 1) {
  for (const Options& options : ways()) {
    const Outcome outcome = run(options, compute);
    EXPECT_EQ(outcome.numbers, reference);
    if (options.sync == Sync::hybrid && options.passes_off.empty()) {
      EXPECT_EQ(outcome.connected, connected);
    } else {
      EXPECT_LE(outcome.connected, connected);
    }
  }
  Options without;
  without.passes_off = {"fixpoints"};
  const Outcome plain = run(without, compute);
  EXPECT_EQ(plain.numbers, reference);
  EXPECT_EQ(plain.connected, 0u);
}

TEST(Connected, LeastAndGreatestOfNumbers) {
  for (const Graph& graph : graphs()) {
    const std::uint64_t n = graph.vertices;
    const auto turned = [n](GlobalIndex v) { return static_cast<GlobalIndex>(n) - 3 * v; };
    expect(serial(mirrored(graph), numbers_of(n, turned), kSmaller, kAsItIs), [&] {
      const auto G = graph.matrix();
      return spread_both_ways(first, first, min, G, map(turned, iota(G.rows()))).get();
    });
    expect(serial(mirrored(graph), numbers_of(n, [](GlobalIndex v) { return v * 7 % 100; }), kLarger, kAsItIs), [&] {
      const auto G = graph.matrix();
      const auto x = map([](GlobalIndex v) { return static_cast<float>(v * 7 % 100); }, iota(G.rows()));
      return whole(spread_both_ways(first, first, max, G, x));
    });
  }
}

/// Infinities, and elements that are at the reducer's identity, which are not active.
TEST(Connected, DoublesOfWhichMostAreNothing) {
  for (const Graph& graph : graphs()) {
    const auto some = [](GlobalIndex v) { return v % 40 == 7 ? v : kFar; };
    expect(serial(mirrored(graph), numbers_of(graph.vertices, some), kSmaller, kAsItIs), [&] {
      const auto G = graph.matrix();
      const auto x = map([](GlobalIndex v) { return v % 40 == 7 ? static_cast<double>(v) : infinity; }, iota(G.rows()));
      return whole(spread_both_ways(first, first, min, G, x));
    });
  }
}

TEST(Connected, FlagsAndBits) {
  for (const Graph& graph : graphs()) {
    const std::uint64_t n = graph.vertices;
    const auto some = [](GlobalIndex v) { return GlobalIndex{v % 50 == 3}; };
    expect(serial(mirrored(graph), numbers_of(n, some), kLarger, kAsItIs), [&] {
      const auto G = graph.matrix();
      const auto x = map([](GlobalIndex v) { return v % 50 == 3; }, iota(G.rows()));
      return whole(spread_both_ways(first, first, logical_or, G, x));
    });
    const auto most = [](GlobalIndex v) { return GlobalIndex{v % 50 != 3}; };
    expect(serial(mirrored(graph), numbers_of(n, most), kSmaller, kAsItIs), [&] {
      const auto G = graph.matrix();
      const auto x = map([](GlobalIndex v) { return v % 50 != 3; }, iota(G.rows()));
      return whole(spread_both_ways(first, first, logical_and, G, x));
    });
    const auto others = [](GlobalIndex v) { return ~(GlobalIndex{1} << (v % 15)); };
    expect(serial(
               mirrored(graph), numbers_of(n, others), [](GlobalIndex a, GlobalIndex b) { return a & b; }, kAsItIs),
           [&] {
             const auto G = graph.matrix();
             return spread_both_ways(first, first, bit_and, G, map(others, iota(G.rows()))).get();
           });
    const auto bit = [](GlobalIndex v) { return GlobalIndex{1} << (v % 15); };
    expect(serial(
               mirrored(graph), numbers_of(n, bit), [](GlobalIndex a, GlobalIndex b) { return a | b; }, kAsItIs),
           [&] {
             const auto G = graph.matrix();
             const auto x =
                 map([](GlobalIndex v) { return static_cast<std::uint16_t>(1 << (v % 15)); }, iota(G.rows()));
             return whole(spread_both_ways(first, first, bit_or, G, x));
           });
  }
}

/// Of a symmetric matrix one direction is both; what non-zeros are does not matter.
TEST(Connected, OneProductOfASymmetricMatrix) {
  for (const Graph& graph : graphs()) {
    const Graph both = mirrored(graph);
    const auto last = [](GlobalIndex v) { return 1000 - v; };
    const Whole wanted = serial(both, numbers_of(both.vertices, last), kSmaller, kAsItIs);
    expect(wanted, [&] {
      const auto G = both.matrix();
      return spread(first, min, G, map(last, iota(G.rows()))).get();
    });
    expect(wanted, [&] {
      const auto G = graph.matrix([](std::size_t k) { return 0.5 * static_cast<double>(k); });
      return spread_both_ways(first, first, min, G, map(last, iota(G.rows()))).get();
    });
  }
}

/// A superstep for each worker whose part the path leads through, and two in which nothing changes: of the first, which
/// makes new vectors, it is not noted what is known already.
TEST(Connected, TakesFewSupersteps) {
  const Graph graph = grid(1, 3000);
  for (const Partition partition : {Partition::block, Partition::hybrid_cut}) {
    Options options;
    options.partition = partition;
    const Outcome outcome = run(options, [&] {
      const auto G = graph.matrix();
      return spread_both_ways(first, first, max, G, iota(G.rows())).get();
    });
    EXPECT_EQ(outcome.numbers, Whole(graph.vertices, static_cast<GlobalIndex>(graph.vertices) - 1));
    EXPECT_EQ(outcome.connected, 1u);
    EXPECT_EQ(outcome.walked, 0u);
    if (partition == Partition::block) {
      EXPECT_LE(outcome.entered, number_of_workers() + 2);
    } else {
      EXPECT_LE(outcome.entered, graph.vertices) << "of which each edge would be one";
    }
  }
}

/// Of which the sets are fetched ahead, on one worker; of more each has fewer.
TEST(Connected, MoreElementsThanACacheHoldsSetsOf) {
  const Graph graph = grid(2, 300'000);
  const Outcome outcome = run({}, [&] {
    const auto G = graph.matrix();
    return spread_both_ways(first, first, min, G, iota(G.rows())).get();
  });
  EXPECT_EQ(outcome.numbers, Whole(graph.vertices, 0));
  EXPECT_EQ(outcome.connected, 1u);
}

/// Parts of a matrix that is large enough to be shared out, and of masters that are, which share no words of sets.
TEST(Connected, IsFoundByThreads) {
  const Graph graph = grid(120, 300);
  const Whole zeros(graph.vertices, 0);
  for (const std::uint32_t threads : {1u, 2u, 3u}) {
    Options options;
    options.threads = threads;
    options.part_elements = 64;
    const Outcome outcome = run(options, [&] {
      const auto G = graph.matrix();
      return spread_both_ways(first, first, min, G, iota(G.rows())).get();
    });
    EXPECT_EQ(outcome.numbers, zeros);
    EXPECT_EQ(outcome.connected, 1u);
  }
}

/// In each entry of the loop anew, in which other vertices begin.
TEST(Connected, AnewInALoop) {
  const Graph graph = pieces();
  Whole sum(graph.vertices, 0);
  for (GlobalIndex round = 0; round < 3; ++round) {
    const auto from = [round](GlobalIndex v) { return v % 11 == round ? 10 * v + round : GlobalIndex{-1}; };
    const Whole one = serial(mirrored(graph), numbers_of(graph.vertices, from), kLarger, kAsItIs);
    for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += one[v];
  }
  const auto compute = [&] {
    const auto G = graph.matrix();
    const auto self = iota(G.rows());
    auto total = map(KASEN_FN((auto v), v - v), self);
    Shared<GlobalIndex> round = 0;
    while_(likely([&] { return round < GlobalIndex{3}; }), [&] {
      const auto begin =
          map([](GlobalIndex v, GlobalIndex r) { return v % 11 == r ? 10 * v + r : GlobalIndex{-1}; }, self, round);
      total = zip_with(plus, total, spread_both_ways(first, first, max, G, begin));
      round = round + 1;
    });
    return total.get();
  };
  expect(sum, compute, 3);
}

/// A dense matrix has a non-zero everywhere and no active elements.
TEST(Connected, IsNotLookedForInDenseMatrices) {
  constexpr std::uint64_t kLength = 12;
  Graph graph{kLength, {}};
  for (std::uint64_t u = 0; u < kLength; ++u) {
    for (std::uint64_t v = 0; v < kLength; ++v) graph.add(u, v);
  }
  const auto compute = [&] {
    const auto A = graph.matrix([](std::size_t k) { return static_cast<double>(k); });
    return spread_both_ways(first, first, min, A, map([](GlobalIndex v) { return 100 - v; }, iota(A.rows()))).get();
  };
  expect(Whole(kLength, 100 - (kLength - 1)), compute, 0);
}

/// What comes from one end only, or changes on its way, is not the same at both ends.
TEST(Connected, IsNothingElse) {
  for (const Graph& graph : {grid(9, 17), comet()}) {
    const std::uint64_t n = graph.vertices;
    const auto self = [](GlobalIndex v) { return v; };
    const Whole ahead = serial(graph, numbers_of(n, self), kLarger, kAsItIs);
    expect(
        ahead,
        [&] {
          const auto G = graph.matrix();
          return spread(first, max, G, iota(G.rows())).get();
        },
        0);
    expect(
        ahead,
        [&] {
          const auto G = graph.matrix();
          Graph back{n, {}};
          for (const auto& [a, b] : graph.edges) back.edges.emplace_back(b, a);
          const auto H = make_matrix(G.rows(), G.columns(), [&] {
            std::vector<Entry<Pattern>> mine;
            const Session& session = Session::current();
            for (std::size_t k = 0; k < back.edges.size(); ++k) {
              if (k % static_cast<std::size_t>(session.workers()) == static_cast<std::size_t>(session.rank()))
                mine.push_back({back.edges[k].first, back.edges[k].second});
            }
            return mine;
          }());  // along G, and against its mirror, which is the same way
          Vector<GlobalIndex> x = iota(G.rows());
          Shared<GlobalIndex> changed = 1;
          while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
            const auto next = zip_with(max, x, zip_with(max, mxv(first, max, G, x), mxvt(first, max, H, x)));
            changed = reduce(
                plus, zip_with(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0})), next, x));
            x = next;
          });
          return x.get();
        },
        0);
    const auto half = [](std::size_t k) { return static_cast<GlobalIndex>(k % 5); };
    const auto narrower = [&](GlobalIndex x, std::size_t k) { return k % 2 == 0 ? x : std::min(x, half(k / 2)); };
    expect(
        serial(mirrored(graph), numbers_of(n, self), kLarger, narrower),
        [&] {
          const auto G = graph.matrix(half);
          return spread_both_ways(first, min, max, G, iota(G.rows())).get();
        },
        0);
  }
}

}  // namespace
}  // namespace kasen::tests
