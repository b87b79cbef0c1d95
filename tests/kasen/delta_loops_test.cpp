/// @file
/// Loops whose iterations visit only what has changed: along paths, grids and random graphs they give what serial loops
/// over the edges give, with the counts that the plans predict.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kasen/kasen.h"
#include "tests/kasen/search_runs.h"

namespace kasen::tests {
namespace {

Whole serial_levels(const Graph& graph, GlobalIndex source, bool undirected) {
  std::vector<Whole> next(graph.vertices);
  for (const auto& [a, b] : graph.edges) {
    next[static_cast<std::size_t>(a)].push_back(b);
    if (undirected) next[static_cast<std::size_t>(b)].push_back(a);
  }
  Whole level(graph.vertices, -1);
  std::queue<GlobalIndex> open;
  open.push(source);
  level[static_cast<std::size_t>(source)] = 0;
  for (; !open.empty(); open.pop()) {
    const auto v = static_cast<std::size_t>(open.front());
    for (const GlobalIndex w : next[v]) {
      if (level[static_cast<std::size_t>(w)] >= 0) continue;
      level[static_cast<std::size_t>(w)] = level[v] + 1;
      open.push(w);
    }
  }
  return level;
}

/// Under all options, and without delta iterations. @return of the first one
Outcome expect(const Whole& reference, const std::function<Whole()>& compute) {
  Outcome first;
  for (const Options& options : ways()) {
    const Outcome outcome = run(options, compute);
    EXPECT_EQ(outcome.numbers, reference);
    if (first.numbers.empty()) first = outcome;
  }
  Options without;
  without.passes_off = {"delta-loops"};
  const Outcome whole = run(without, compute);
  EXPECT_EQ(whole.numbers, reference);
  EXPECT_EQ(whole.delta_runs, 0u);
  return first;
}

/// Levels by a search whose depth is a Shared that changes: it shows where the search is, and nowhere else.
Vector<GlobalIndex> search(const Matrix<Pattern>& G, GlobalIndex source, bool undirected) {
  const auto self = iota(G.rows());
  auto frontier = map(KASEN_FN((auto v, auto s), select(v == s, v, kFar)), self, source);
  auto level = map(KASEN_FN((auto f), select(f != kFar, GlobalIndex{0}, GlobalIndex{-1})), frontier);
  Shared<GlobalIndex> depth = 0, found = 1;
  while_([&] { return found > GlobalIndex{0}; },
         [&] {
           auto from = mxv(first, min, G, frontier);
           if (undirected) from = zip_with(min, from, mxvt(first, min, G, frontier));
           from = zip_with(KASEN_FN((auto f, auto l), select(l < 0, f, kFar)), from, level);
           depth = depth + 1;
           level = zip_with(KASEN_FN((auto l, auto f, auto d), select(f != kFar, d, l)), level, from, depth);
           frontier = zip_with(KASEN_FN((auto v, auto f), select(f != kFar, v, kFar)), self, from);
           found = reduce(plus, map(KASEN_FN((auto f), select(f != kFar, GlobalIndex{1}, GlobalIndex{0})), from));
         });
  return level;
}

TEST(DeltaLoops, SearchAlongPathsGridsAndTails) {
  for (const Graph& graph : {path(151), grid(9, 17), comet(), wave()}) {
    const GlobalIndex source = graph.edges.front().first;
    for (const bool undirected : {false, true}) {
      const Outcome outcome = expect(serial_levels(graph, source, undirected),
                                     [&] { return search(graph.matrix(), source, undirected).get(); });
      EXPECT_GT(outcome.delta_runs, 5u);
      EXPECT_LT(outcome.visited, outcome.entered * graph.vertices / 2);
    }
  }
}

TEST(DeltaLoops, VisitEachVertexOfAPathAFewTimes) {
  const Graph graph = path(500);
  const Outcome outcome = run({}, [&] { return search(graph.matrix(), 0, false).get(); });
  EXPECT_EQ(outcome.whole_visits, 1u);
  EXPECT_EQ(outcome.delta_runs, 499u);
  EXPECT_LE(outcome.visited, 2 * 500u) << "each when it is reached and once more";
}

/// Every other vertex is reached twice in a row, and none in the end.
TEST(DeltaLoops, VisitAgainWhatWasReachedTwiceInARow) {
  Graph graph{120, {}};
  for (std::uint64_t v = 0; v + 1 < graph.vertices; ++v) {
    graph.add(v, v + 1);
    if (v + 2 < graph.vertices) graph.add(v, v + 2);
  }
  const Outcome outcome = expect(Whole(graph.vertices, 0), [&] {
    const auto G = graph.matrix();
    const auto self = iota(G.rows());
    auto frontier = map(KASEN_FN((auto v), select(v == GlobalIndex{0}, v, kFar)), self);
    auto level = map(KASEN_FN((auto f), select(f != kFar, GlobalIndex{0}, GlobalIndex{-1})), frontier);
    auto heard = map(KASEN_FN((auto v), select(v < GlobalIndex{0}, GlobalIndex{1}, GlobalIndex{0})), self);
    Shared<GlobalIndex> found = 1;
    while_([&] { return found > GlobalIndex{0}; },
           [&] {
             const auto told = mxv(first, min, G, frontier);
             heard = map(KASEN_FN((auto f), select(f != kFar, GlobalIndex{1}, GlobalIndex{0})), told);
             const auto from = zip_with(KASEN_FN((auto f, auto l), select(l < 0, f, kFar)), told, level);
             level = zip_with(KASEN_FN((auto l, auto f), select(f != kFar, GlobalIndex{1}, l)), level, from);
             frontier = zip_with(KASEN_FN((auto v, auto f), select(f != kFar, v, kFar)), self, from);
             found = reduce(plus, map(KASEN_FN((auto f), select(f != kFar, GlobalIndex{1}, GlobalIndex{0})), from));
           });
    return heard.get();
  });
  EXPECT_GT(outcome.delta_runs, 5u);
}

/// Labels spread in both directions, by min or by a reducer of the program's.
template <class Op>
Whole components(const Graph& graph, const Op& op) {
  const auto G = graph.matrix();
  auto label = iota(G.rows());
  const auto before = label;  // is held all through the loop, and after it
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto there = mxv(first, op, G, label), back = mxvt(first, op, G, label);
    const auto least = zip_with(op, label, zip_with(op, there, back));
    changed = reduce(plus, zip_with([](GlobalIndex a, GlobalIndex b) { return GlobalIndex{a != b}; }, least, label));
    label = least;
  });
  Whole all = label.get();
  const Whole held = before.get();
  all.insert(all.end(), held.begin(), held.end());
  return all;
}

Whole serial_components(const Graph& graph) {
  Whole label(graph.vertices);
  for (std::size_t v = 0; v < label.size(); ++v) label[v] = static_cast<GlobalIndex>(v);
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto& [a, b] : graph.edges) {
      auto &x = label[static_cast<std::size_t>(a)], &y = label[static_cast<std::size_t>(b)];
      changes = changes || x != y;
      x = y = std::min(x, y);
    }
  }
  for (std::size_t v = 0; v < graph.vertices; ++v) label.push_back(static_cast<GlobalIndex>(v));
  return label;
}

TEST(DeltaLoops, SpreadLabelsInBothDirections) {
  constexpr auto least =
      with_identity(laws([](GlobalIndex a, GlobalIndex b) { return b < a ? b : a; }, idempotent), kFar);
  for (const Graph& graph : {path(80), grid(6, 30), comet(), wave()}) {
    expect(serial_components(graph), [&] { return components(graph, min); });
    expect(serial_components(graph), [&] { return components(graph, least); });
  }
}

struct Way {
  double length;
  GlobalIndex edges;
};

/// Lengths of shortest ways over structs; `shorter` is a function of which nothing is known.
Whole lengths(const Graph& graph) {
  constexpr Way none{infinity, kFar};
  constexpr auto better = with_identity(
      laws([](Way a, Way b) { return std::tie(b.length, b.edges) < std::tie(a.length, a.edges) ? b : a; }, idempotent),
      none);
  const auto G = graph.matrix();
  const auto self = iota(G.rows());
  auto best = map([](GlobalIndex v) { return v == 0 ? Way{0, 0} : Way{infinity, kFar}; }, self);
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto on =
        zip_with(laws(
                     [](Way w, GlobalIndex v) {
                       return w.length < infinity ? Way{w.length + static_cast<double>(v % 5), w.edges + 1} : w;
                     },
                     defined_everywhere),
                 best, self);
    const auto next = zip_with(better, best, mxv(first, better, G, on));
    const auto shorter = zip_with([](Way a, Way b) { return GlobalIndex{b.length < a.length}; }, best, next);
    best = next;
    changed = reduce(plus, shorter);
  });
  return map([](Way w) { return w.length < infinity ? static_cast<GlobalIndex>(w.length) : GlobalIndex{-1}; }, best)
      .get();
}

Whole serial_lengths(const Graph& graph) {
  Whole length(graph.vertices, -1);
  length[0] = 0;
  for (bool changes = true; changes;) {
    changes = false;
    for (const auto& [a, b] : graph.edges) {
      if (length[static_cast<std::size_t>(a)] < 0) continue;
      const GlobalIndex there = length[static_cast<std::size_t>(a)] + a % 5;
      auto& known = length[static_cast<std::size_t>(b)];
      if (known >= 0 && known <= there) continue;
      known = there;
      changes = true;
    }
  }
  return length;
}

/// Flags of what was found last, as they are written: a choice between true and false is a flag itself.
Vector<bool> found_last(int style, const Vector<bool>& next, const Vector<bool>& reached) {
  switch (style) {
    case 0:
      return zip_with(KASEN_FN((auto n, auto r), select(n && !r, true, false)), next, reached);
    case 1:
      return zip_with(KASEN_FN((auto n, auto r), n && !r), next, reached);
    case 2:
      return zip_with([](bool n, bool r) { return n && !r; }, next, reached);
    default:
      return map(KASEN_FN((auto n), select(n, true, false)), next);  // again and again
  }
}

TEST(DeltaLoops, SearchByFlags) {
  for (const Graph& graph : {path(90), grid(6, 25), comet()}) {
    const Whole level = serial_levels(graph, 0, false);
    Whole reference;
    for (const GlobalIndex each : level) reference.push_back(each >= 0 && each <= 30 ? 1 : 0);
    for (int style = 0; style < 4; ++style) {
      if (style == 3 && graph.vertices == 228) continue;  // ways of any length lead round its middle
      const Outcome outcome = expect(reference, [&] {
        const auto G = graph.matrix();
        auto reached = map(KASEN_FN((auto v), v == GlobalIndex{0}), iota(G.rows()));
        auto frontier = reached;
        Shared<GlobalIndex> round = 0;
        while_(likely([&] { return round < GlobalIndex{30}; }), [&] {
          frontier = found_last(style, mxv(first, logical_or, G, frontier), reached);
          reached = zip_with(logical_or, reached, frontier);
          round = round + 1;
        });
        return map([](bool r) { return GlobalIndex{r}; }, reached).get();
      });
      EXPECT_GT(outcome.pushed, 5u) << style;
      if (graph.vertices != 228) {
        EXPECT_LE(outcome.told, 31u * 6) << style;
      }
    }
  }
}

TEST(DeltaLoops, BeginWithWhatIsNotNothing) {
  const Graph graph = path(60);
  Whole reference(60, 1);
  const Outcome outcome = expect(reference, [&] {
    const auto G = graph.matrix();
    auto seen = map(KASEN_FN((auto v), v == GlobalIndex{0}), iota(G.rows()));
    Shared<GlobalIndex> round = 0;
    while_(likely([&] { return round < GlobalIndex{60}; }), [&] {
      seen = zip_with(logical_or, seen, mxv(first, logical_or, G, seen));
      round = round + 1;
    });
    return map([](bool s) { return GlobalIndex{s}; }, seen).get();
  });
  EXPECT_EQ(outcome.walked, 0u) << "only one vertex has anything to tell at first";
  EXPECT_EQ(outcome.told, 60u);
}

TEST(DeltaLoops, FollowStructsAndFunctionsOfWhichNothingIsKnown) {
  for (const Graph& graph : {path(100), grid(9, 20), comet(), wave()}) {
    const Outcome outcome = expect(serial_lengths(graph), [&] { return lengths(graph); });
    EXPECT_GT(outcome.delta_runs, 5u);
  }
}

/// The same in two sets: vertices nearer than `bound` go on, the others wait until no nearer one is left.
/// @param held whether a function that nothing is known of stands between what waits and the bound
Whole lengths_by_bounds(const Graph& graph, double width, bool held) {
  constexpr Way none{infinity, kFar};
  constexpr auto better = with_identity(
      laws([](Way a, Way b) { return std::tie(b.length, b.edges) < std::tie(a.length, a.edges) ? b : a; }, idempotent),
      none);
  constexpr auto step = laws(
      [](Way w) {
        return w.length < infinity ? Way{w.length, w.edges + 1} : w;
      },
      keeps_identity);
  const auto G = graph.matrix();
  const auto self = iota(G.rows());
  auto best = map([](GlobalIndex v) { return v == 0 ? Way{0, 0} : Way{infinity, kFar}; }, self);
  auto later = map(KASEN_FN((auto v), v == GlobalIndex{0}), self);
  auto frontier = map([](GlobalIndex) { return Way{infinity, kFar}; }, self);
  Shared<double> bound = 0.0;
  Shared<bool> more = true;
  while_(likely([&] { return more; }), [&] {
    const auto way = mxv(step, better, G, frontier);
    const auto improved =
        zip_with([](Way a, Way b) { return std::tie(b.length, b.edges) < std::tie(a.length, a.edges); }, best, way);
    best = zip_with(better, best, way);
    const auto length = map([](Way w) { return w.length; }, best);
    auto waits = zip_with(KASEN_FN((auto i, auto l), i || l), improved, later);
    if (held) waits = map([](bool w) { return w; }, waits);
    const auto goes = held ? zip_with([](bool w, double l, double b) { return w && l < b; }, waits, length, bound)
                           : zip_with(KASEN_FN((auto w, auto l, auto b), w && l < b), waits, length, bound);
    later = zip_with(KASEN_FN((auto w, auto g), w && !g), waits, goes);
    const auto told = zip_with([](Way w, bool g) { return g ? w : Way{infinity, kFar}; }, best, goes);
    frontier = zip_with(
        [](Way w, GlobalIndex v) {
          return w.length < infinity ? Way{w.length + static_cast<double>(v % 5), w.edges} : w;
        },
        told, self);
    const auto count = reduce(plus, map(KASEN_FN((auto g), select(g, GlobalIndex{1}, GlobalIndex{0})), goes));
    const auto least = reduce(min, zip_with(KASEN_FN((auto l, auto x), select(l, x, infinity)), later, length));
    more = apply(KASEN_FN((auto c, auto l), c > GlobalIndex{0} || l < infinity), count, least);
    bound = apply(KASEN_FN((auto b, auto c, auto l, auto w), select(c > GlobalIndex{0}, b, l + w)), bound, count, least,
                  width);
  });
  return map([](Way w) { return w.length < infinity ? static_cast<GlobalIndex>(w.length) : GlobalIndex{-1}; }, best)
      .get();
}

TEST(DeltaLoops, VisitAgainWhatWaitsForAShared) {
  for (const Graph& graph : {path(100), grid(9, 20), comet()}) {
    for (const double width : {1.0, 7.0, infinity}) {
      const Outcome outcome = expect(serial_lengths(graph), [&] { return lengths_by_bounds(graph, width, false); });
      EXPECT_GT(outcome.delta_runs, 5u);
      EXPECT_LT(outcome.visited, outcome.entered * graph.vertices / 2);
    }
    const Outcome outcome = expect(serial_lengths(graph), [&] { return lengths_by_bounds(graph, 7, true); });
    EXPECT_EQ(outcome.delta_runs, 0u) << "nothing is known of what waits";
  }
}

TEST(DeltaLoops, VisitAgainWhatHasNotChangedAndIsNotAtRest) {
  // Marked vertices of a path are reached early, and count rounds from the 60th on.
  const Graph graph = path(200);
  Whole reference(200, 0);
  const Whole level = serial_levels(graph, 0, false);
  for (std::size_t v = 0; v < level.size(); ++v) {
    const bool reached = level[v] >= 0 && level[v] <= 101;
    reference[v] = reached && v % 8 == 0 ? 101 : 0;
  }
  const Outcome outcome = expect(reference, [&] {
    const auto G = graph.matrix();
    const auto self = iota(G.rows());
    auto seen = map(KASEN_FN((auto v), v == GlobalIndex{0}), self);
    auto marked = map(KASEN_FN((auto v), v % GlobalIndex{8} == GlobalIndex{0}), self);
    auto at = constant(G.rows(), GlobalIndex{0});
    Shared<GlobalIndex> round = 0;
    while_(likely([&] { return round < GlobalIndex{101}; }), [&] {
      round = round + 1;
      const auto now = round;
      seen = zip_with(logical_or, seen, mxv(first, logical_or, G, seen));
      const auto counts = zip_with(KASEN_FN((auto s, auto m), s && m), seen, marked);
      at = zip_with(KASEN_FN((auto c, auto a, auto r), select(c && r > GlobalIndex{60}, r, a)), counts, at, now);
    });
    return at.get();
  });
  EXPECT_GT(outcome.delta_runs, 5u);
}

TEST(DeltaLoops, CountWhatStays) {
  // What was reached contributes in each iteration, though it does not change any more.
  const Graph graph = path(400);
  const Outcome outcome = expect({121, 121 * 122 / 2 - 1}, [&] {
    const auto G = graph.matrix();
    auto seen = map([](GlobalIndex v) { return v == 0; }, iota(G.rows()));
    Shared<GlobalIndex> rounds = 0, reached = 1, sum = 0;
    while_([&] { return rounds < GlobalIndex{120}; },
           [&] {
             seen = zip_with(logical_or, seen, mxv(first, logical_or, G, seen));
             reached = reduce(plus, map([](bool s) { return GlobalIndex{s}; }, seen));
             sum = sum + reached;
             rounds = rounds + 1;
           });
    return Whole{reached.get(), sum.get()};
  });
  EXPECT_GT(outcome.delta_runs, 5u);
}

TEST(DeltaLoops, GiveUpWhereAllContribute) {
  const Graph graph = path(300);
  const Outcome outcome = expect({100 + 300}, [&] {
    const auto G = graph.matrix();
    auto seen = map([](GlobalIndex v) { return v == 0; }, iota(G.rows()));
    Shared<GlobalIndex> rounds = 0, sum = 0;
    while_([&] { return rounds < GlobalIndex{99}; },
           [&] {
             seen = zip_with(logical_or, seen, mxv(first, logical_or, G, seen));
             sum = reduce(plus, map([](bool s) { return GlobalIndex{s} + 1; }, seen));
             rounds = rounds + 1;
           });
    return Whole{sum.get()};
  });
  EXPECT_EQ(outcome.delta_runs, 0u);
  EXPECT_GT(outcome.whole_visits, 0u);
  EXPECT_LT(outcome.whole_visits, 10u) << "attempts are repeated after ever longer pauses";
}

TEST(DeltaLoops, MayCarryVectorsThatBeginAsOne) {
  const Graph graph = path(200);
  Whole reference = serial_levels(graph, 0, false);
  for (auto& level : reference) level = level < 0 || level > 100 ? kFar : level + 1;
  Whole both = reference;
  for (auto& value : both) value = value == kFar ? kFar : value + 5;
  reference.insert(reference.end(), both.begin(), both.end());
  const Outcome outcome = expect(reference, [&] {
    const auto G = graph.matrix();
    auto x = map([](GlobalIndex v) { return v == 0 ? GlobalIndex{1} : kFar; }, iota(G.rows()));
    auto y = x;
    Shared<GlobalIndex> round = 0;
    while_(likely([&] { return round < GlobalIndex{100}; }), [&] {
      const auto p = mxv(first, min, G, map(KASEN_FN((auto v), select(v != kFar, v + 1, kFar)), x));
      x = zip_with(min, x, p);
      y = zip_with(KASEN_FN((auto b, auto a), select(a == kFar, b, a + 5)), y, x);
      round = round + 1;
    });
    Whole all = x.get();
    const Whole more = y.get();
    all.insert(all.end(), more.begin(), more.end());
    return all;
  });
  EXPECT_GT(outcome.delta_runs, 5u);
}

TEST(DeltaLoops, WalkAllAfterFollowingAPath) {
  // A path leads into a dense middle: what is active is known, but too many to push.
  Graph graph{40 + 200, {}};
  for (std::uint64_t v = 0; v < 40; ++v) graph.add(v, v + 1);
  for (std::uint64_t k = 1; k < 200; ++k) graph.add(40, 40 + k);
  for (std::uint64_t k = 1; k < 200; ++k) {
    for (std::uint64_t step = 1; step < 9; ++step) graph.add(40 + k, 40 + (k * 7 + step * 11) % 200);
  }
  const Outcome outcome = expect(serial_levels(graph, 0, true), [&] { return search(graph.matrix(), 0, true).get(); });
  EXPECT_GT(outcome.delta_runs, 5u);
  EXPECT_GT(outcome.known_walks, 0u);
}

TEST(DeltaLoops, AreLeftWhereAllElementsFollowAShared) {
  const Graph graph = grid(12, 12);
  const auto compute = [&] {
    const auto G = graph.matrix();
    auto x = map([](GlobalIndex v) { return v == 0 ? GlobalIndex{1} : GlobalIndex{0}; }, iota(G.rows()));
    auto at = x;
    Shared<GlobalIndex> round = 0;
    while_([&] { return round < GlobalIndex{30}; },
           [&] {
             round = round + 1;
             x = zip_with(max, x, mxv(first, max, G, x));
             at = zip_with(KASEN_FN((auto v, auto a, auto r), select(v > 0, a + r, r)), x, at, round);
           });
    return at.get();
  };
  const Outcome without = run({}, compute);
  EXPECT_EQ(without.delta_runs, 0u);
  Options off;
  off.fusion = Fusion::off;
  EXPECT_EQ(run(off, compute).numbers, without.numbers);
}

TEST(DeltaLoops, StartAnewInEachRoundOfAnOuterLoop) {
  const Graph graph = comet();
  Whole reference(graph.vertices, 0);
  for (GlobalIndex source = 0; source < 4; ++source) {
    const Whole level = serial_levels(graph, source * 50, true);
    for (std::size_t v = 0; v < level.size(); ++v) reference[v] += level[v];
  }
  const Outcome outcome = expect(reference, [&] {
    const auto G = graph.matrix();
    auto sum = constant(G.rows(), GlobalIndex{0});
    Shared<GlobalIndex> round = 0;
    while_([&] { return round < GlobalIndex{4}; },
           [&] {
             const auto self = iota(G.rows());
             auto frontier = map(KASEN_FN((auto v, auto r), select(v == r * GlobalIndex{50}, v, kFar)), self, round);
             auto level = map(KASEN_FN((auto f), select(f != kFar, GlobalIndex{0}, kFar)), frontier);
             Shared<GlobalIndex> changed = 1;
             while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
               const auto next = map(KASEN_FN((auto l), select(l == kFar, kFar, l + 1)), level);
               const auto there = mxv(first, min, G, next), back = mxvt(first, min, G, next);
               const auto least = zip_with(min, level, zip_with(min, there, back));
               changed = reduce(
                   plus,
                   zip_with(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0})), least, level));
               level = least;
             });
             sum = zip_with(KASEN_FN((auto s, auto l), s + select(l == kFar, GlobalIndex{-1}, l)), sum, level);
             round = round + 1;
           });
    return sum.get();
  });
  EXPECT_GT(outcome.delta_runs, 5u);
}

TEST(DeltaLoops, HoldNothingInEmptyAndTinyGraphs) {
  for (const std::uint64_t vertices : {1u, 2u, 3u}) {
    const Graph graph = path(vertices);
    expect(serial_levels(graph, 0, true), [&] { return search(graph.matrix(), 0, true).get(); });
  }
}

}  // namespace
}  // namespace kasen::tests
