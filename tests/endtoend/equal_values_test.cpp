/// @file
/// Copies, equal work and work that does not change in loops: computed once or not at all, and the results as ever.
#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "kasen/session/engine.h"
#include "optimizer/plan/step_tools.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

/// Launches of all plans so far whose label holds `text`.
std::size_t launches_of(Session& session, const std::string& text) {
  std::size_t found = 0;
  for (const auto& record : session.engine().plans()) {
    optimizer::for_each_step(record->plan.steps, [&](const optimizer::Step& step) {
      const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
      if (sweep == nullptr) return;
      for (const optimizer::Launch& launch : sweep->launches) {
        found += launch.label.find(text) == std::string::npos ? 0 : launch.out.size();
      }
    });
  }
  return found;
}
bool has_pass(Session& session, const std::string& name) {
  const Options& options = session.engine().options();
  const auto& off = options.passes_off;
  return options.fusion != Fusion::off && std::find(off.begin(), off.end(), name) == off.end();
}

TEST_P(EndToEnd, CopiesInLoops) {
  auto a = exact_vector(kLength, 1), b = map(identity, a), c = exact_vector(kLength, 2);
  Shared<double> s = 2.0, t = 5.0;
  Shared<Int> k = 0;
  while_(likely([&] { return k < Int{5}; }), [&] {
    const auto next = zip_with(plus, a, b);
    const auto kept = map(first, a, s);
    a = map(identity, c);
    b = zip_with(first, next, c);
    c = kept;
    const auto u = apply(identity, s);
    s = t;
    t = apply(first, u, t);
    k = k + Int{1};
  });
  auto v = exact_numbers(kLength, 1), w = v, x = exact_numbers(kLength, 2);
  for (int round = 0; round < 5; ++round) {
    auto next = v;
    for (std::size_t i = 0; i < kLength; ++i) next[i] += w[i];
    std::swap(v, x);
    w = next;
  }
  EXPECT_EQ(a.get(), v);
  EXPECT_EQ(b.get(), w);
  EXPECT_EQ(c.get(), x);
  EXPECT_EQ(s.get(), 5.0);
  EXPECT_EQ(t.get(), 2.0);
  if (has_pass(session(), "renames")) {
    EXPECT_EQ(launches_of(session(), "identity"), 0u);
  }
}

/// One value under several names, asked for in every order and state, and changed under one of them.
TEST_P(EndToEnd, NamesOfOneValue) {
  const auto graph = small_graph(5, 3, 2);
  const auto G = graph.distribute();
  const auto want = serial_mxv(graph, kSame, kAdd, 0.0, exact_numbers(graph.height, 1));
  for (int order = 0; order < 4; ++order) {
    const auto x = exact_vector(G.rows(), 1);
    auto y = mxv(first, plus, G, x);
    auto z = map(identity, y);
    auto w = zip_with(first, z, x);
    const auto old = map(identity, x);
    // The vectors stay partial results while something else is read.
    EXPECT_EQ(reduce(plus, map(times, old, 0.0)).get(), 0.0);
    if (order == 1) {
      EXPECT_EQ(z.get(), want);
    }
    if (order == 2) {
      y = map(plus, y, 1.0);
      EXPECT_EQ(y.get(), added(want, 1));
    }
    if (order == 3) {
      EXPECT_EQ(mxv(first, plus, G, w).get(), serial_mxv(graph, kSame, kAdd, 0.0, want));
      z = map(identity, map(plus, z, 2.0));
    }
    EXPECT_EQ(w.get(), want);
    EXPECT_EQ(z.get(), added(want, order == 3 ? 2 : 0));
    EXPECT_EQ(y.get(), added(want, order == 2 ? 1 : 0));
    EXPECT_EQ(old.get(), exact_numbers(graph.height, 1));
  }
}

TEST_P(EndToEnd, EqualWorkIsDoneOnce) {
  const auto graph = small_graph(4, 3, 2);
  const auto G = graph.distribute();
  const auto x = exact_vector(G.rows(), 1);
  const auto norm = [&](double by) { return reduce(plus, mxv(times, plus, G, map(times, x, by))); };
  const auto one = norm(2), two = norm(2), three = norm(4);
  const auto sum = one + two;
  double want = 0;
  for (const double a : serial_mxv(graph, kSame, kAdd, 0.0, exact_numbers(graph.height, 1))) want += a;
  EXPECT_EQ(sum.get(), 4 * want);
  EXPECT_EQ(one.get(), 2 * want);
  EXPECT_EQ(two.get(), 2 * want);
  EXPECT_EQ(three.get(), 4 * want);
  EXPECT_EQ(launches_of(session(), "mxv"), has_pass(session(), "common-subexpressions") ? 2u : 3u);
}

/// Of an undirected graph, and not of one that has an edge one way alone.
TEST_P(EndToEnd, BothDirectionsOfASymmetricMatrixAreOne) {
  constexpr GlobalIndex kVertices = 23;
  for (const bool symmetric : {true, false}) {
    std::vector<std::pair<GlobalIndex, GlobalIndex>> edges;
    for (GlobalIndex k = 0; k < 40; ++k) {
      const GlobalIndex u = k * 7 % kVertices, v = k * k % kVertices;
      edges.emplace_back(u, v);
      if (u != v) edges.emplace_back(v, u);
    }
    if (!symmetric) edges.emplace_back(3, 5);
    std::vector<Entry<double>> mine;
    for (std::size_t k = static_cast<std::size_t>(workers::rank()); k < edges.size();
         k += static_cast<std::size_t>(workers::size())) {
      const auto [u, v] = edges[k];
      mine.push_back({u, v, static_cast<double>(u * v % 7 + 1)});
    }
    const Space vertices(kVertices);
    const auto M = make_matrix(vertices, vertices, std::span<const Entry<double>>(mine));
    const auto x = exact_vector(vertices, 1), y = exact_vector(vertices, 2);
    const auto of_ends = [](double a, double m, double b) { return a * m + b; };
    const auto of_three = KASEN_FN((auto a, auto b, auto m, auto c), a * m - b * c);
    const std::size_t before = launches_of(session(), "mxv");
    const auto sum = zip_with(plus, mxv(times, plus, M, x), mxvt(times, plus, M, x));
    const auto least = zip_with(min, mxvt(first, min, M, x), mxv(first, min, M, x));
    const auto ends = zip_with(plus, mxv(of_ends, plus, M, x, y), mxvt(of_ends, plus, M, x, y));
    const auto there = mxv(of_three, plus, M, std::tie(x, y), x);
    const auto apart = mxv(KASEN_FN((auto a, auto m, auto b, auto c), a * m - b * c), plus, M, x, std::tie(y, x));
    const auto all = zip_with(plus, sum, zip_with(plus, ends, zip_with(plus, there, apart)));
    const auto found = all.get(), found_least = least.get();
    const auto a = exact_numbers(kVertices, 1), b = exact_numbers(kVertices, 2);
    std::vector<double> want(kVertices), want_least(kVertices, infinity);
    for (const auto& [u, v] : edges) {
      const auto i = static_cast<std::size_t>(u), j = static_cast<std::size_t>(v);
      const auto m = static_cast<double>(u * v % 7 + 1);
      want[j] += a[i] * m + of_ends(a[i], m, b[j]) + (a[i] * m - b[i] * a[j]) + (a[i] * m - b[j] * a[j]);
      want[i] += a[j] * m + of_ends(a[j], m, b[i]);
      want_least[j] = std::min(want_least[j], a[i]);
      want_least[i] = std::min(want_least[i], a[j]);
    }
    EXPECT_EQ(found, want);
    EXPECT_EQ(found_least, want_least);
    const bool merges = symmetric && has_pass(session(), "common-subexpressions");
    EXPECT_EQ(launches_of(session(), "mxv") - before, merges ? 5u : 8u);
  }
}

/// Whether two plain values are equal is part of a plan, what they are is not.
TEST_P(EndToEnd, ValuesThatAreEqualAtTimes) {
  const auto x = exact_vector(kLength, 1);
  EXPECT_EQ(x.get(), exact_numbers(kLength, 1));
  const std::uint64_t before = session().counts().plans;
  const auto sum_of = [](std::vector<double> v) {
    double sum = 0;
    for (const double a : v) sum += a;
    return sum;
  };
  for (const auto& [a, b] : {std::pair{1.0, 2.0}, {3.0, 3.0}, {5.0, 4.0}, {2.0, 2.0}, {0.0, -0.0}}) {
    const int p = static_cast<int>(a), q = static_cast<int>(b);
    const auto one = zip_with(minus, map(plus, x, a), map(plus, x, b));
    const auto shift = [](int by) { return [by](double v) { return v + by; }; };
    const auto two = zip_with(times, map(shift(p), x), map(shift(q), x));
    const auto product = reduce(plus, two);
    EXPECT_EQ(reduce(plus, one).get(), kLength * (a - b));
    double want = 0;
    for (const double v : exact_numbers(kLength, 1)) want += (v + p) * (v + q);
    EXPECT_EQ(product.get(), want);
  }
  EXPECT_EQ(sum_of(x.get()), sum_of(exact_numbers(kLength, 1)));
  // All differ, all equal, and the captures alone equal.
  EXPECT_EQ(session().counts().plans - before, 3u);
}

TEST_P(EndToEnd, UnchangingWorkInLoops) {
  const auto graph = small_graph(4, 3, 2);
  const auto G = graph.distribute();
  const auto weights = exact_vector(G.rows(), 2), offsets = exact_vector(G.rows(), 3);
  for (const Int rounds : {0, 3}) {
    for (const bool mostly : {true, false}) {
      auto x = exact_vector(G.rows(), 1), last = x;
      Shared<Int> k = 0, j = 0;
      Shared<double> total = 0.0;
      const auto condition = [&] { return k < rounds; };
      const auto body = [&] {
        const auto spread = mxv(first, plus, G, zip_with(plus, weights, offsets));
        j = Int{0};
        while_(likely([&] { return j < Int{2}; }), [&] {
          x = zip_with([](double a, double b, double c) { return a / 2 + b - c; }, x, spread,
                       zip_with(times, weights, offsets));
          total = total + reduce(max, spread);
          j = j + Int{1};
        });
        last = map(times, weights, 0.5);
        k = k + Int{1};
      };
      mostly ? while_(likely(condition), body) : while_(condition, body);
      const auto w = exact_numbers(graph.height, 2), o = exact_numbers(graph.height, 3);
      auto v = exact_numbers(graph.height, 1), end = v, both = w;
      for (std::size_t i = 0; i < both.size(); ++i) both[i] += o[i];
      const auto spread = serial_mxv(graph, kSame, kAdd, 0.0, both);
      for (Int round = 0; round < 2 * rounds; ++round) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = v[i] / 2 + spread[i] - w[i] * o[i], end[i] = w[i] / 2;
      }
      EXPECT_EQ(x.get(), v);
      EXPECT_EQ(last.get(), end);
      EXPECT_EQ(total.get(), static_cast<double>(2 * rounds) * *std::max_element(spread.begin(), spread.end()));
    }
  }
}

/// Integer division is not total: it stays where it is, of Shareds too.
TEST_P(EndToEnd, UnchangingDivisionsStayInLoops) {
  const Shared<Int> zero = 0, ten = 10;
  const auto v = map([](GlobalIndex i) { return Int{i}; }, iota(kLength));
  Shared<Int> k = 0;
  auto x = v;
  while_(likely([&] { return k < zero; }), [&] {
    x = zip_with(plus, map(divides, v, zero), map(plus, v, ten / zero + apply(divides, ten, zero)));
    k = k + Int{1};
  });
  EXPECT_EQ(reduce(plus, x).get(), static_cast<Int>(kLength * (kLength - 1) / 2));
}

}  // namespace
}  // namespace kasen::tests
