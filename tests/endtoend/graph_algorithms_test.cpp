/// @file
/// Searches and rankings on graphs, and a chain of products: small but whole algorithms.
#include <algorithm>
#include <tuple>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

TEST_P(EndToEnd, BreadthFirstSearch) {
  const auto graph = small_graph(6, 2, 9);
  const auto G = graph.distribute();
  constexpr GlobalIndex kStart = 5;
  auto frontier = map([](GlobalIndex i) { return i == kStart; }, iota(G.rows()));
  auto level = map([](bool f) { return f ? 0 : -1; }, frontier);
  Shared<std::int32_t> depth = 0;
  Shared<bool> any = true;
  while_(likely([&] { return any; }), [&] {
    depth = depth + 1;
    const auto reached = mxv(first, logical_or, G, frontier);
    frontier = zip_with([](bool r, int l) { return r && l < 0; }, reached, level);
    level = zip_with([](int l, bool f, int d) { return f ? d : l; }, level, frontier, depth);
    any = reduce(logical_or, frontier);
  });
  std::vector<int> want(graph.height, -1);
  want[kStart] = 0;
  int last = 0;
  for (bool found = true; found;) {
    found = false;
    for (const auto& e : graph.entries) {
      if (want[static_cast<std::size_t>(e.row)] != last || want[static_cast<std::size_t>(e.column)] >= 0) continue;
      want[static_cast<std::size_t>(e.column)] = last + 1;
      found = true;
    }
    ++last;
  }
  EXPECT_EQ(level.get(), want);
  EXPECT_EQ(depth.get(), last);
}

TEST_P(EndToEnd, ConnectedComponents) {
  const auto graph = small_graph(6, 1, 4);
  const auto G = graph.distribute();
  auto label = iota(G.rows());
  Shared<bool> changed = true;
  while_(likely([&] { return changed; }), [&] {
    const auto lower = zip_with(min, mxv(first, min, G, label), mxvt(first, min, G, label));
    const auto next = zip_with(min, label, lower);
    changed = reduce(logical_or, zip_with([](GlobalIndex a, GlobalIndex b) { return a != b; }, label, next));
    label = next;
  });
  std::vector<GlobalIndex> want(graph.height);
  for (std::size_t i = 0; i < want.size(); ++i) want[i] = static_cast<GlobalIndex>(i);
  for (bool again = true; again;) {
    again = false;
    for (const auto& e : graph.entries) {
      auto &a = want[static_cast<std::size_t>(e.row)], &b = want[static_cast<std::size_t>(e.column)];
      again |= a != b;
      a = b = std::min(a, b);
    }
  }
  EXPECT_EQ(label.get(), want);
}

TEST_P(EndToEnd, ShortestPaths) {
  auto roads = small_matrix(50, 50, 150, 6);
  for (auto& e : roads.entries) e.value = std::abs(e.value) + 0.25;
  const auto R = roads.distribute();
  auto distance = map([](GlobalIndex i) { return i == 0 ? 0.0 : infinity; }, iota(R.rows()));
  Shared<bool> changed = true;
  while_([&] { return changed; },
         [&] {
           const auto next = zip_with(min, mxv(plus, min, R, distance), distance);
           changed = reduce(logical_or, zip_with([](double a, double b) { return a != b; }, distance, next));
           distance = next;
         });
  std::vector<double> want(50, infinity);
  want[0] = 0;
  for (int round = 0; round < 50; ++round) {
    for (const auto& e : roads.entries) {
      auto& to = want[static_cast<std::size_t>(e.column)];
      to = std::min(to, want[static_cast<std::size_t>(e.row)] + e.value);
    }
  }
  EXPECT_EQ(distance.get(), want);
}

/// A struct of a size that no word has, by a reducer of the program's that it says is idempotent.
TEST_P(EndToEnd, RoutesByAReducerOfTheProgram) {
  struct Route {
    std::int32_t cost, edges, from;
    bool operator==(const Route&) const = default;
  };
  static constexpr Route kNone{1 << 20, 1 << 20, 1 << 20};
  const auto better = [](const Route& a, const Route& b) {
    return std::tie(b.cost, b.edges, b.from) < std::tie(a.cost, a.edges, a.from) ? b : a;
  };
  const auto best = with_identity(laws(better, idempotent), kNone);
  const auto follow = [](const Route& r) { return r.cost < kNone.cost ? Route{r.cost + 3, r.edges + 1, r.from} : r; };
  const auto graph = small_graph(6, 1, 11);
  const auto G = graph.distribute();
  constexpr GlobalIndex kStart = 3;
  auto route = map([](GlobalIndex i) { return i == kStart ? Route{0, 0, 3} : kNone; }, iota(G.rows()));
  Shared<bool> changed = true;
  while_(likely([&] { return changed; }), [&] {
    const auto here = zip_with(
        [](const Route& r, GlobalIndex i) {
          return r.cost < kNone.cost ? Route{r.cost, r.edges, static_cast<std::int32_t>(i)} : r;
        },
        route, iota(G.rows()));
    const auto next = zip_with(best, mxv(follow, best, G, here), route);
    changed = reduce(logical_or, zip_with([](const Route& a, const Route& b) { return !(a == b); }, route, next));
    route = next;
  });
  std::vector<Route> want(graph.height, kNone);
  want[kStart] = {0, 0, 3};
  for (std::size_t round = 0; round < graph.height; ++round) {
    for (const auto& e : graph.entries) {
      const Route& from = want[static_cast<std::size_t>(e.row)];
      Route& to = want[static_cast<std::size_t>(e.column)];
      if (from.cost < kNone.cost) to = better(to, {from.cost + 3, from.edges + 1, static_cast<std::int32_t>(e.row)});
    }
  }
  EXPECT_EQ(route.get(), want);
}

TEST_P(EndToEnd, HubsAndAuthorities) {
  const auto graph = small_graph(6, 4, 2);
  const auto G = graph.distribute();
  Vector<double> hub = constant(G.rows(), 1.0), authority = constant(G.rows(), 0.0);
  Shared<Int> k = 0;
  while_(likely([&] { return k < Int{8}; }), [&] {
    const auto a = mxv(first, plus, G, hub);
    authority = map(divides, a, apply([](double s) { return std::sqrt(s); }, dot(a, a)));
    const auto h = mxvt(first, plus, G, authority);
    hub = map(divides, h, apply([](double s) { return std::sqrt(s); }, dot(h, h)));
    k = k + Int{1};
  });
  std::vector<double> h(graph.height, 1.0), a;
  for (int round = 0; round < 8; ++round) {
    a = serial_mxv(graph, kSame, kAdd, 0.0, h);
    const double an = std::sqrt(dot(a, a));
    for (double& x : a) x /= an;
    h = serial_mxvt(graph, kSame, kAdd, 0.0, a);
    const double hn = std::sqrt(dot(h, h));
    for (double& x : h) x /= hn;
  }
  EXPECT_TRUE(near(hub.get(), h, kAgreement, 1e-3));
  EXPECT_TRUE(near(authority.get(), a, kAgreement, 1e-3));
}

/// Three index spaces in a row: H^T (B^T (A^T x)), and back.
TEST_P(EndToEnd, ChainOfRectangularProducts) {
  const auto a = small_matrix(31, 20, 90, 1), b = small_matrix(20, 44, 120, 2), c = small_matrix(44, 9, 70, 3);
  const auto A = a.distribute(), B = b.distribute(), C = c.distribute();
  const auto x = exact_vector(A.rows(), 1);
  const auto forward = mxv(times, plus, C, map(times, mxv(times, plus, B, mxv(times, plus, A, x)), 0.125));
  const auto back = mxvt(times, plus, A, mxvt(times, plus, B, mxvt(times, plus, C, map(max, forward, 0.0))));
  auto v = serial_mxv(b, kMultiply, kAdd, 0.0, serial_mxv(a, kMultiply, kAdd, 0.0, exact_numbers(31, 1)));
  for (double& e : v) e *= 0.125;
  v = serial_mxv(c, kMultiply, kAdd, 0.0, v);
  EXPECT_EQ(forward.get(), v);
  for (double& e : v) e = std::max(e, 0.0);
  v = serial_mxvt(b, kMultiply, kAdd, 0.0, serial_mxvt(c, kMultiply, kAdd, 0.0, v));
  EXPECT_TRUE(near(back.get(), serial_mxvt(a, kMultiply, kAdd, 0.0, v), kAgreement, 1.0));
}

/// The largest eigenvalue by power iteration, in C++ control flow that also decides what to record.
TEST_P(EndToEnd, PowerIterationInNativeLoop) {
  const auto graph = small_graph(5, 6, 3);
  const auto G = graph.distribute();
  Vector<double> x = constant(G.rows(), 1.0);
  double estimate = 0;
  for (int k = 0; k < 10; ++k) {
    auto y = k % 2 == 0 ? Vector<double>(mxv(first, plus, G, x)) : Vector<double>(mxvt(first, plus, G, x));
    const auto norm = apply([](double s) { return std::sqrt(s); }, dot(y, y));
    x = map(divides, y, norm);
    if (k % 3 == 2) estimate = norm.get();
  }
  std::vector<double> v(graph.height, 1.0);
  double norm = 0, want = 0;
  for (int k = 0; k < 10; ++k) {
    v = k % 2 == 0 ? serial_mxv(graph, kSame, kAdd, 0.0, v) : serial_mxvt(graph, kSame, kAdd, 0.0, v);
    norm = std::sqrt(dot(v, v));
    for (double& a : v) a /= norm;
    if (k % 3 == 2) want = norm;
  }
  EXPECT_NEAR(estimate, want, kAgreement * want);
  EXPECT_TRUE(near(x.get(), v, kAgreement, 1e-3));
}

}  // namespace
}  // namespace kasen::tests
