/// @file
/// Branches, and blocks within blocks; blocks that throw. Numbers are exact: results are equal.
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

TEST_P(EndToEnd, NestedLoops) {
  Shared<Int> i = 0, j = 0, inner_rounds = 0;
  auto x = exact_vector(kLength, 1), y = constant(kLength, 0.0);
  while_(likely([&] { return i < Int{3}; }), [&] {
    j = Int{0};
    while_(likely([&] { return j < i; }), [&] {
      y = zip_with(plus, y, x);
      j = j + Int{1};
      inner_rounds = inner_rounds + Int{1};
    });
    x = map(plus, x, 1.0);
    i = i + Int{1};
  });
  auto v = exact_numbers(kLength, 1), w = std::vector<double>(kLength, 0.0);
  Int rounds = 0;
  for (Int p = 0; p < 3; ++p) {
    for (Int q = 0; q < p; ++q, ++rounds) {
      for (std::size_t e = 0; e < kLength; ++e) w[e] += v[e];
    }
    v = added(v, 1);
  }
  EXPECT_EQ(x.get(), v);
  EXPECT_EQ(y.get(), w);
  EXPECT_EQ(inner_rounds.get(), rounds);
  EXPECT_EQ(session().counts().iterations, 3u);
}

/// A loop in a branch is no less an outermost one.
TEST_P(EndToEnd, LoopsInBranchesAreCounted) {
  Shared<Int> i = 0, j = 0, rounds = 0;
  auto x = exact_vector(kLength, 1);
  if_(reduce(plus, x) > -1e9, [&] {
    while_([&] { return i < Int{4}; },
           [&] {
             x = map(plus, x, 1.0);
             if_(i < Int{2}, [&] {
               j = Int{0};
               while_([&] { return j < Int{2}; },
                      [&] {
                        rounds = rounds + Int{1};
                        j = j + Int{1};
                      });
             });
             i = i + Int{1};
           });
  });
  EXPECT_EQ(x.get(), added(exact_numbers(kLength, 1), 4));
  EXPECT_EQ(rounds.get(), 4);
  EXPECT_EQ(session().counts().iterations, 4u);
}

/// Three deep, with products of one matrix at every depth.
TEST_P(EndToEnd, NestedLoopsWithProducts) {
  const auto graph = small_graph(4, 3, 2);
  const auto G = graph.distribute();
  const auto halve = [](double a) { return a * 0.5; };
  Shared<Int> i = 0, j = 0, k = 0;
  auto x = exact_vector(G.rows(), 1);
  while_(likely([&] { return i < Int{2}; }), [&] {
    x = mxv(halve, max, G, x);
    x = map(max, x, -1.0);
    j = Int{0};
    while_(likely([&] { return j < Int{2}; }), [&] {
      const auto before = x;
      k = Int{0};
      while_([&] { return k <= j; },
             [&] {
               x = map(min, mxvt(first, plus, G, map(times, x, 0.5)), 8.0);
               k = k + Int{1};
             });
      x = zip_with(minus, x, before);
      j = j + Int{1};
    });
    i = i + Int{1};
  });
  auto v = exact_numbers(graph.height, 1);
  for (int p = 0; p < 2; ++p) {
    v = serial_mxv(
        graph, halve, [](double a, double b) { return std::max(a, b); }, -infinity, v);
    for (double& a : v) a = std::max(a, -1.0);
    for (int q = 0; q < 2; ++q) {
      const auto before = v;
      for (int r = 0; r <= q; ++r) {
        v = serial_mxvt(
            graph, halve, [](double a, double b) { return a + b; }, 0.0, v);
        for (double& a : v) a = std::min(a, 8.0);
      }
      for (std::size_t e = 0; e < v.size(); ++e) v[e] -= before[e];
    }
  }
  EXPECT_EQ(x.get(), v);
}

TEST_P(EndToEnd, Branches) {
  for (const bool way : {true, false}) {
    Shared<bool> test = way;
    auto x = exact_vector(kLength, 1), y = exact_vector(kLength, 2);
    Shared<double> s = 5.0;
    if_(
        test,
        [&] {
          x = zip_with(plus, x, y);
          s = reduce(plus, x);
        },
        [&] { y = map(times, x, 2.0); });
    if_(!test, [&] { x = map(plus, x, 1.0); });
    const auto a = exact_numbers(kLength, 1), b = exact_numbers(kLength, 2);
    auto v = a, w = b;
    double sum = 0;
    for (std::size_t i = 0; i < kLength; ++i) {
      if (way) {
        v[i] = a[i] + b[i];
        sum += v[i];
      } else {
        w[i] = a[i] * 2;
        v[i] = a[i] + 1;
      }
    }
    EXPECT_EQ(x.get(), v);
    EXPECT_EQ(y.get(), w);
    EXPECT_EQ(s.get(), way ? sum : 5.0);
  }
}

/// Three branches by one test; the last one reads what is made of the second's result.
TEST_P(EndToEnd, BranchesByOneTest) {
  for (const bool way : {true, false}) {
    const Shared<bool> test = way;
    auto x = exact_vector(kLength, 1), y = exact_vector(kLength, 2);
    Shared<double> s = 5.0;
    if_(test, [&] { x = map(times, x, 2.0); });
    const auto raised = map(plus, y, 1.0);
    if_(
        test, [&] { y = zip_with(plus, x, raised); }, [&] { y = map(times, raised, 4.0); });
    const auto sum = reduce(plus, y);
    if_(test, [&] { s = sum; });
    auto v = exact_numbers(kLength, 1), w = exact_numbers(kLength, 2);
    double total = 0;
    for (std::size_t i = 0; i < kLength; ++i) {
      if (way) v[i] *= 2;
      w[i] = way ? v[i] + (w[i] + 1) : (w[i] + 1) * 4;
      total += w[i];
    }
    EXPECT_EQ(x.get(), v);
    EXPECT_EQ(y.get(), w);
    EXPECT_EQ(s.get(), way ? total : 5.0);
  }
}

/// Both sides swap what they got, or one does.
TEST_P(EndToEnd, BranchesThatSwap) {
  for (const bool way : {true, false}) {
    auto a = exact_vector(kLength, 1), b = exact_vector(kLength, 2), c = a;
    if_(
        Shared<bool>(way),
        [&] {
          const auto t = a;
          a = b;
          b = t;
        },
        [&] { c = b; });
    EXPECT_EQ(a.get(), exact_numbers(kLength, way ? 2 : 1));
    EXPECT_EQ(b.get(), exact_numbers(kLength, way ? 1 : 2));
    EXPECT_EQ(c.get(), exact_numbers(kLength, way ? 1 : 2));
  }
}

TEST_P(EndToEnd, BranchesInLoops) {
  const auto graph = small_graph(4, 3, 2);
  const auto G = graph.distribute();
  Shared<Int> k = 0;
  auto x = exact_vector(G.rows(), 1), y = constant(G.rows(), 0.0);
  while_(likely([&] { return k < Int{5}; }), [&] {
    const auto low = reduce(plus, x) < 10.0;
    if_(
        low, [&] { x = map(plus, x, 1.0); },
        [&] {
          x = mxv(first, min, G, map(times, x, 0.5));
          x = map(min, x, 4.0);
          y = zip_with(plus, y, x);
        });
    k = k + Int{1};
  });
  auto v = exact_numbers(graph.height, 1), w = std::vector<double>(graph.height, 0.0);
  for (int round = 0; round < 5; ++round) {
    double sum = 0;
    for (const double a : v) sum += a;
    if (sum < 10) {
      v = added(v, 1);
      continue;
    }
    v = serial_mxv(
        graph, [](double a) { return a * 0.5; }, [](double a, double b) { return std::min(a, b); }, infinity, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::min(v[i], 4.0), w[i] += v[i];
  }
  EXPECT_EQ(x.get(), v);
  EXPECT_EQ(y.get(), w);
}

TEST_P(EndToEnd, LoopsInBranches) {
  const auto graph = small_graph(4, 2, 3);
  const auto G = graph.distribute();
  for (const bool way : {true, false}) {
    auto x = exact_vector(G.rows(), 1);
    Shared<Int> k = 0;
    if_(
        Shared<bool>(way),
        [&] {
          while_(likely([&] { return k < Int{3}; }), [&] {
            x = mxv(first, plus, G, map(times, x, 0.5));
            k = k + Int{1};
          });
        },
        [&] { if_(k == Int{0}, [&] { x = mxvt(first, plus, G, x); }); });
    auto v = exact_numbers(graph.height, 1);
    const auto add = [](double a, double b) { return a + b; };
    if (way) {
      for (int r = 0; r < 3; ++r)
        v = serial_mxv(
            graph, [](double a) { return a * 0.5; }, add, 0.0, v);
    } else {
      v = serial_mxvt(
          graph, [](double a) { return a; }, add, 0.0, v);
    }
    EXPECT_EQ(x.get(), v);
    EXPECT_EQ(k.get(), way ? 3 : 0);
  }
}

/// A body that throws leaves everything outside as it was, and the next program runs.
TEST_P(EndToEnd, BodyThatThrows) {
  struct Mishap {};
  auto x = exact_vector(kLength, 1), y = x;
  Shared<Int> k = 0;
  for (const bool nested : {false, true}) {
    EXPECT_THROW(while_([&] { return k < Int{3}; },
                        [&] {
                          x = map(plus, x, 1.0);
                          k = k + Int{1};
                          if (!nested) throw Mishap();
                          if_(k == Int{1}, [&] {
                            y = zip_with(plus, x, y);
                            while_([&] { return k > Int{0}; },
                                   [&] {
                                     x = y;
                                     throw Mishap();
                                   });
                          });
                        }),
                 Mishap);
    EXPECT_THROW(while_(
                     [&]() -> Shared<bool> {
                       k = k + Int{1};
                       throw Mishap();
                     },
                     [&] {}),
                 Mishap);
    EXPECT_THROW(if_(
                     k == Int{0}, [&] { y = x; },
                     [&] {
                       x = map(plus, x, 7.0);
                       throw Mishap();
                     }),
                 Mishap);
  }
  while_([&] { return k < Int{3}; },
         [&] {
           x = map(plus, x, 1.0);
           k = k + Int{1};
         });
  EXPECT_EQ(x.get(), added(exact_numbers(kLength, 1), 3));
  EXPECT_EQ(y.get(), exact_numbers(kLength, 1));
  EXPECT_EQ(k.get(), 3);
}

}  // namespace
}  // namespace kasen::tests
