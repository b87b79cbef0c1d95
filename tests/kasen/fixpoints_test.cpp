/// @file
/// Loops to a fixpoint, whose products go on from what they improve: they give what serial loops over the edges give,
/// with the counts that plans predict; and loops of which more is seen than the fixpoint, or that have none which is
/// the same in any order, which go on step by step. How far they go on is in settling_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "kasen/kasen.h"
#include "tests/kasen/fixpoint_loops.h"
#include "tests/kasen/search_runs.h"

namespace kasen::tests {
namespace {

std::vector<Graph> graphs() {
  return {path(151), mirrored(path(70)), grid(9, 17), mirrored(grid(7, 20)), comet(), wave(), grid(1, 160)};
}

constexpr auto kWeight = [](std::size_t k) { return static_cast<GlobalIndex>(1 + k * 7 % 9); };

Whole counted_up(std::uint64_t n) {
  Whole all(n);
  for (std::size_t v = 0; v < n; ++v) all[v] = static_cast<GlobalIndex>(v);
  return all;
}
/// Under all options. @return how many elements products went on from, in all
std::uint64_t expect(const Whole& reference, const std::function<Whole()>& compute, bool settles = true) {
  std::uint64_t settled = 0;
  for (const Options& options : ways()) {
    const Outcome outcome = run(options, compute);
    EXPECT_EQ(outcome.numbers, reference);
    settled += outcome.settled;
  }
  if (!settles) {
    EXPECT_EQ(settled, 0u);
  }
  Options without;
  without.passes_off = {"fixpoints"};
  const Outcome plain = run(without, compute);
  EXPECT_EQ(plain.numbers, reference);
  EXPECT_EQ(plain.settled, 0u);
  return settled;
}

TEST(Fixpoints, SmallestAndLargestLabels) {
  std::uint64_t smaller = 0, larger = 0;
  for (const Graph& graph : graphs()) {
    smaller += expect(serial(graph, counted_up(graph.vertices), kSmaller, kAsItIs), [&] {
      const auto G = graph.matrix();
      return spread(first, min, G, iota(G.rows())).get();
    });
    larger += expect(serial(graph, counted_up(graph.vertices), kLarger, kAsItIs), [&] {
      const auto G = graph.matrix();
      return spread(first, max, G, iota(G.rows())).get();
    });
  }
  EXPECT_GT(smaller, 0u);
  EXPECT_GT(larger, 0u);
}

TEST(Fixpoints, WhatIsReached) {
  std::uint64_t any = 0, all = 0;
  for (const Graph& graph : graphs()) {
    any += expect(serial(graph, from_first(graph.vertices, 1, 0), kLarger, kAsItIs), [&] {
      const auto G = graph.matrix();
      return whole(spread(first, logical_or, G, at_first(G.rows(), true, false)));
    });
    all += expect(serial(graph, from_first(graph.vertices, 0, 1), kSmaller, kAsItIs), [&] {
      const auto G = graph.matrix();
      return whole(spread(first, logical_and, G, at_first(G.rows(), false, true)));
    });
  }
  EXPECT_GT(any, 0u);
  EXPECT_GT(all, 0u);
}

TEST(Fixpoints, SetsOfBits) {
  std::uint64_t settled = 0;
  for (const Graph& graph : graphs()) {
    const auto bit = [](GlobalIndex v) { return v % 7 == 0 ? GlobalIndex{1} << (v % 48) : GlobalIndex{0}; };
    Whole bits, others;
    for (std::uint64_t v = 0; v < graph.vertices; ++v) {
      bits.push_back(bit(static_cast<GlobalIndex>(v)));
      others.push_back(~bits.back());
    }
    settled += expect(serial(
                          graph, bits, [](GlobalIndex a, GlobalIndex b) { return a | b; }, kAsItIs),
                      [&] {
                        const auto G = graph.matrix();
                        return spread(first, bit_or, G, map(bit, iota(G.rows()))).get();
                      });
    settled +=
        expect(serial(
                   graph, others, [](GlobalIndex a, GlobalIndex b) { return a & b; }, kAsItIs),
               [&] {
                 const auto G = graph.matrix();
                 return spread(first, bit_and, G, map([bit](GlobalIndex v) { return ~bit(v); }, iota(G.rows()))).get();
               });
  }
  EXPECT_GT(settled, 0u);
}

/// Ways that improve more than once, over numbers of two types, and the widest of ways.
TEST(Fixpoints, ShortestAndWidestWays) {
  std::uint64_t of_doubles = 0, of_floats = 0, widest = 0;
  for (const Graph& graph : graphs()) {
    const auto longer = [](GlobalIndex x, std::size_t k) { return x == kFar ? kFar : x + kWeight(k); };
    const Whole lengths = serial(graph, from_first(graph.vertices, 0, kFar), kSmaller, longer);
    const auto along = KASEN_FN((auto x, auto weight), x + weight);
    of_doubles += expect(lengths, [&] {
      const auto G = graph.matrix([](std::size_t k) { return static_cast<double>(kWeight(k)); });
      return whole(spread(along, min, G, at_first(G.rows(), 0.0, infinity)));
    });
    of_floats += expect(lengths, [&] {
      const auto G = graph.matrix([](std::size_t k) { return static_cast<float>(kWeight(k)); });
      return whole(spread(along, min, G, at_first(G.rows(), 0.0f, static_cast<float>(infinity))));
    });
    const auto narrower = [](GlobalIndex x, std::size_t k) { return std::min(x, kWeight(k)); };
    widest += expect(serial(graph, from_first(graph.vertices, 9, 0), kLarger, narrower), [&] {
      const auto G = graph.matrix(kWeight);
      return spread(min, max, G, at_first(G.rows(), GlobalIndex{9}, GlobalIndex{0})).get();
    });
  }
  EXPECT_GT(of_doubles, 0u);
  EXPECT_GT(of_floats, 0u);
  EXPECT_GT(widest, 0u);
}

/// Two products of a graph with one direction of each edge settle together, whatever each adds.
TEST(Fixpoints, AlongBothDirections) {
  std::uint64_t labels = 0, lengths = 0;
  for (const Graph& graph : {path(151), grid(9, 17), comet()}) {
    const Graph both = mirrored(graph);
    labels += expect(serial(both, counted_up(both.vertices), kSmaller, kAsItIs), [&] {
      const auto G = graph.matrix();
      return spread_both_ways(first, first, min, G, iota(G.rows())).get();
    });
    const auto longer = [](GlobalIndex x, std::size_t k) {
      const GlobalIndex weight = kWeight(k / 2);  // of an edge and its mirror
      return x == kFar ? kFar : x + (k % 2 == 0 ? weight : 3 * weight + 1);
    };
    lengths += expect(serial(both, from_first(both.vertices, 0, kFar), kSmaller, longer), [&] {
      const auto G = graph.matrix([](std::size_t k) { return static_cast<double>(kWeight(k)); });
      return whole(spread_both_ways(KASEN_FN((auto x, auto weight), x + weight),
                                    KASEN_FN((auto x, auto weight), x + weight + weight + weight + 1.0), min, G,
                                    at_first(G.rows(), 0.0, infinity)));
    });
  }
  EXPECT_GT(labels, 0u);
  EXPECT_GT(lengths, 0u);
}

/// x = R(x, R(mxv(f, R, G, x), mxv(g, R, H, x))): the edges of both count, of which one has few and the other many, or
/// the other way round, so that one product is often pushed where the other walks its matrix.
TEST(Fixpoints, AlongTwoMatrices) {
  Graph few = path(160), many = comet();
  few.vertices = many.vertices = std::max(few.vertices, many.vertices);
  Graph all = few;
  all.edges.insert(all.edges.end(), many.edges.begin(), many.edges.end());
  const auto longer = [&](GlobalIndex x, std::size_t k) {
    if (x == kFar) return kFar;
    return k < few.edges.size() ? x + kWeight(k) : x + 2;
  };
  const Whole lengths = serial(all, from_first(all.vertices, 0, kFar), kSmaller, longer);
  std::uint64_t settled = 0;
  for (const bool few_first : {true, false}) {
    settled += expect(lengths, [&] {
      const auto G = few.matrix([](std::size_t k) { return static_cast<double>(kWeight(k)); });
      const auto H = make_matrix(G.rows(), G.columns(), [&] {
        std::vector<Entry<Pattern>> mine;
        const auto& session = Session::current();
        for (std::size_t k = 0; k < many.edges.size(); ++k) {
          if (k % static_cast<std::size_t>(session.workers()) == static_cast<std::size_t>(session.rank()))
            mine.push_back({many.edges[k].first, many.edges[k].second});
        }
        return mine;
      }());
      Vector<double> x = at_first(G.rows(), 0.0, infinity);
      Shared<GlobalIndex> changed = 1;
      while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
        const auto by_few = [&] { return mxv(KASEN_FN((auto v, auto weight), v + weight), min, G, x); };
        const auto by_many = [&] { return mxv(KASEN_FN((auto v), v + 2.0), min, H, x); };
        const auto ways = few_first ? zip_with(min, by_few(), by_many()) : zip_with(min, by_many(), by_few());
        const auto next = zip_with(min, x, ways);
        changed =
            reduce(plus, zip_with(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0})), next, x));
        x = next;
      });
      return whole(x);
    });
  }
  EXPECT_GT(settled, 0u);
}

/// min makes NaN of it, which is not less than anything: it spreads, and nothing counts it.
TEST(Fixpoints, AreNoneOfWhatIsNotCounted) {
  const Graph graph = grid(1, 300);
  const auto compute = [&] {
    const auto G = graph.matrix();
    auto x = at_first(G.rows(), std::numeric_limits<double>::quiet_NaN(), infinity);
    Shared<GlobalIndex> changed = 1;
    while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
      const auto next = zip_with(min, x, mxv(first, min, G, x));
      changed =
          reduce(plus, zip_with(KASEN_FN((auto a, auto b), select(a < b, GlobalIndex{1}, GlobalIndex{0})), next, x));
      x = next;
    });
    return map([](double a) { return a != a ? GlobalIndex{1} : GlobalIndex{0}; }, x).get();
  };
  Whole some(graph.vertices, 0);
  some[0] = some[1] = 1;
  expect(some, compute, false);
}

/// Until nothing changes, said in several ways.
template <class Differ, class R, class Test>
Whole ends_by(const Graph& graph, const Differ& differ, const R& reducer, const Test& test) {
  const auto G = graph.matrix();
  Vector<GlobalIndex> x = at_first(G.rows(), GlobalIndex{0}, kFar);
  const auto changes = [&](const Vector<GlobalIndex>& next) { return reduce(reducer, differ(next, x)); };
  auto changed = changes(map(KASEN_FN((auto a), a - a), x));
  while_(likely([&] { return test(changed); }), [&] {
    const auto next = zip_with(min, x, mxv(first, min, G, x));
    changed = changes(next);
    x = next;
  });
  return x.get();
}

TEST(Fixpoints, EndInMoreWaysThanOne) {
  const Graph graph = grid(6, 21);
  const Whole zeros(graph.vertices, 0);
  const auto positive = [](const Shared<GlobalIndex>& n) { return n > GlobalIndex{0}; };
  const auto differ = [](auto f) { return [f](const auto& next, const auto& x) { return zip_with(f, next, x); }; };
  const auto one_if_unlike = KASEN_FN((auto a, auto b), select(a == b, GlobalIndex{0}, GlobalIndex{1}));
  const auto settles = [&](const std::function<Whole()>& compute) { EXPECT_GT(expect(zeros, compute), 0u); };
  settles([&] { return ends_by(graph, differ(one_if_unlike), plus, positive); });
  settles([&] { return ends_by(graph, differ(one_if_unlike), max, positive); });
  settles(
      [&] { return ends_by(graph, differ(one_if_unlike), plus, [](const auto& n) { return n != GlobalIndex{0}; }); });
  settles([&] {
    return ends_by(graph, differ(one_if_unlike), plus,
                   [](const auto& n) { return apply(KASEN_FN((auto c), GlobalIndex{0} < c), n); });
  });
  settles([&] { return ends_by(graph, differ(one_if_unlike), plus, [](const auto& n) { return n >= 1; }); });
  settles([&] {
    return ends_by(graph, differ(one_if_unlike), plus,
                   [](const auto& n) { return apply(KASEN_FN((auto c), !(c == 0)), n); });
  });
  settles([&] {
    return ends_by(graph, differ(one_if_unlike), plus,
                   [](const auto& n) { return apply(KASEN_FN((auto c), !(c < 1)), n); });
  });
  settles([&] {
    return ends_by(graph, differ(KASEN_FN((auto a, auto b), select(a < b, GlobalIndex{2}, GlobalIndex{0}))), plus,
                   positive);
  });
  settles([&] {
    return ends_by(graph, differ(KASEN_FN((auto a, auto b), a != b)), logical_or, [](const auto& any) { return any; });
  });
  settles([&] {
    const auto in_two = [](const auto& next, const auto& x) {
      return map(KASEN_FN((auto unlike), select(unlike, GlobalIndex{3}, GlobalIndex{0})),
                 zip_with(KASEN_FN((auto a, auto b), !(a == b)), next, x));
    };
    return ends_by(graph, in_two, plus, positive);
  });
}

/// Where only some of the changes end the loop, it may end before there is a fixpoint, and at the same place each time.
TEST(Fixpoints, AreNoneWhereTheTestSaysSomethingElse) {
  const Graph graph = grid(6, 21);
  const auto positive = [](const auto& n) { return n > GlobalIndex{0}; };
  const auto differ = [](auto f) { return [f](const auto& next, const auto& x) { return zip_with(f, next, x); }; };
  const auto unlike = KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0}));
  const auto step_by_step = [&](const std::function<Whole()>& compute) {
    Options without;
    without.passes_off = {"fixpoints"};
    expect(run(without, compute).numbers, compute, false);
  };
  step_by_step([&] { return ends_by(graph, differ(unlike), plus, [](const auto& n) { return n > GlobalIndex{3}; }); });
  step_by_step([&] { return ends_by(graph, differ(unlike), plus, [](const auto& n) { return n >= 2; }); });
  step_by_step([&] {
    return ends_by(graph, differ(KASEN_FN((auto a, auto b), select(a != b, 0.25, 0.0))), plus,
                   [](const auto& n) { return n >= 1.0; });
  });
  step_by_step([&] {
    return ends_by(graph, differ(KASEN_FN((auto a, auto b), select(a != b, 1, 0))), plus,
                   [](const auto& n) { return n > 0; });  // a sum of so few bits may come to 0
  });
  step_by_step([&] {
    return ends_by(graph, differ(KASEN_FN((auto a, auto b), select(b < a, GlobalIndex{1}, GlobalIndex{0}))), plus,
                   positive);  // never: the smaller is the next
  });
  static constexpr auto kMuch = std::uint64_t{1} << 62;  // of which four are nothing
  step_by_step([&] {
    return ends_by(graph, differ(KASEN_FN((auto a, auto b), select(a != b, kMuch, std::uint64_t{0}))), plus,
                   [](const auto& n) { return n != std::uint64_t{0}; });
  });
  step_by_step([&] {
    return ends_by(graph, differ(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{-1}))), max,
                   positive);
  });
  step_by_step([&] {
    return ends_by(graph, differ([](GlobalIndex a, GlobalIndex b) { return GlobalIndex{a != b}; }), plus, positive);
  });
}

/// What is seen of a loop beside its fixpoint.
TEST(Fixpoints, AreNotSoughtOutOfOrderWhereOrderIsSeen) {
  const Graph graph = mirrored(grid(6, 21));
  const Whole nearest(graph.vertices, 0);
  const auto differ = KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0}));
  const auto loop = [&](const std::function<void(Vector<GlobalIndex>&, const Vector<GlobalIndex>&)>& also,
                        const std::function<Shared<bool>(const Shared<GlobalIndex>&)>& test) {
    const auto G = graph.matrix();
    Vector<GlobalIndex> x = at_first(G.rows(), GlobalIndex{0}, kFar);
    Shared<GlobalIndex> changed = 1;
    while_([&] { return test(changed); },
           [&] {
             Vector<GlobalIndex> next = zip_with(min, x, mxv(first, min, G, x));
             also(next, x);
             changed = reduce(plus, zip_with(differ, next, x));
             x = next;
           });
    return x.get();
  };
  const auto positive = [](const Shared<GlobalIndex>& n) { return n > GlobalIndex{0}; };
  const std::uint64_t rounds = 6 + 21 - 2 + 1;
  EXPECT_GT(expect(nearest, [&] { return loop([](auto&, const auto&) {}, positive); }), 0u);

  expect(
      Whole{static_cast<GlobalIndex>(rounds)},
      [&] {
        Shared<GlobalIndex> round = 0;
        loop([&](auto&, const auto&) { round = round + 1; }, positive);
        return Whole{round.get()};
      },
      false);
  expect(
      nearest, [&] { return loop([&](auto& next, const auto&) { track("largest", reduce(max, next)); }, positive); },
      false);
  Whole levels(graph.vertices, 0);
  for (std::uint64_t v = 0; v < graph.vertices; ++v) levels[v] = static_cast<GlobalIndex>(v / 21 + v % 21);
  expect(
      levels,
      [&] {
        const auto G = graph.matrix();
        Vector<GlobalIndex> level = at_first(G.rows(), GlobalIndex{0}, GlobalIndex{0});
        loop(
            [&](auto& next, const auto& x) {
              level =
                  zip_with(KASEN_FN((auto l, auto a), l + select(a == kFar, GlobalIndex{1}, GlobalIndex{0})), level, x);
              static_cast<void>(next);
            },
            positive);
        return level.get();
      },
      false);
  Shared<GlobalIndex>* left = nullptr;
  Whole some(graph.vertices, kFar);
  for (std::uint64_t v = 0; v < graph.vertices; ++v) {
    if (levels[v] <= 5) some[v] = 0;
  }
  expect(
      some,
      [&] {
        Shared<GlobalIndex> round = 5;
        left = &round;
        return loop([&](auto&, const auto&) { *left = *left - 1; },
                    [&](const auto& n) { return n > GlobalIndex{0} && *left > GlobalIndex{0}; });
      },
      false);
}

/// Functions of which nothing is known, or that are not monotone: the last vertices to change say which is which.
TEST(Fixpoints, AreOfMonotoneFunctionsAlone) {
  const Graph graph = grid(6, 21);
  const Whole begin = from_first(graph.vertices, 0, kFar);
  expect(
      serial(graph, begin, kSmaller, kAsItIs),
      [&] {
        const auto G = graph.matrix();
        return spread([](GlobalIndex x) { return x; }, min, G, at_first(G.rows(), GlobalIndex{0}, kFar)).get();
      },
      false);
  // The nearer one is, the more it says.
  const auto turned = KASEN_FN((auto x), select(x < GlobalIndex{100}, GlobalIndex{40} - x, x));
  const auto compute = [&] {
    const auto G = graph.matrix();
    return spread(turned, min, G, at_first(G.rows(), GlobalIndex{0}, kFar)).get();
  };
  Options without;
  without.passes_off = {"fixpoints"};
  expect(run(without, compute).numbers, compute, false);
}

/// A loop that is entered again has another x, of which nothing has been pushed.
TEST(Fixpoints, BeginAnewInALoop) {
  const Graph graph = mirrored(grid(1, 60));
  Whole sum(graph.vertices);
  for (std::uint64_t v = 0; v < graph.vertices; ++v) sum[v] = 0 + 1 + 2;
  const std::uint64_t settled = expect(sum, [&] {
    const auto G = graph.matrix();
    const auto self = iota(G.rows());
    auto total = map(KASEN_FN((auto v), v - v), self);
    Shared<GlobalIndex> round = 0;
    while_(likely([&] { return round < GlobalIndex{3}; }), [&] {
      const auto begin =
          map(KASEN_FN((auto v, auto r), select(v == r * GlobalIndex{7}, r, GlobalIndex{99})), self, round);
      total = zip_with(plus, total, spread(first, min, G, begin));
      round = round + 1;
    });
    return total.get();
  });
  EXPECT_GT(settled, 0u);
}

}  // namespace
}  // namespace kasen::tests
