/// @file
/// Loops, recorded and native on get(): carried, swapped, shared and rotated values, conditions of all kinds, loops
/// that never run. Numbers are exact: results are equal.
#include <array>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

TEST_P(EndToEnd, NativeLoopPlansOnce) {
  auto x = constant(kLength, 1.0);
  double sum = 0;
  std::uint64_t rounds = 0, plans = 0;
  while (sum < 1e5) {
    x = map([](double a) { return a * 2 + 1; }, x);
    sum = reduce(plus, x).get();
    if (++rounds == 3) plans = session().counts().plans;
  }
  EXPECT_GT(rounds, 5u);
  EXPECT_EQ(session().counts().plans, plans);
  EXPECT_EQ(session().counts().runs, rounds);
  double want = 1;
  for (std::uint64_t k = 0; k < rounds; ++k) want = want * 2 + 1;
  EXPECT_EQ(x.get(), std::vector<double>(kLength, want));
}

/// Captured bytes are no part of a plan: another value, the same plan, the right result.
TEST_P(EndToEnd, NativeLoopWithChangingCapture) {
  auto x = exact_vector(kLength, 1);
  EXPECT_EQ(x.get(), exact_numbers(kLength, 1));
  double by = 0;
  std::uint64_t plans = 0;
  for (int k = 1; k <= 6; ++k) {
    x = map([k](double a) { return a + k; }, x);
    by += k;
    EXPECT_EQ(x.get(), added(exact_numbers(kLength, 1), by));
    if (k == 2) plans = session().counts().plans;
  }
  EXPECT_EQ(session().counts().plans, plans);
}

/// Constants that are one value, and handles of one vector, which buffers may hold together at first.
TEST_P(EndToEnd, VectorsThatBeginAsOne) {
  const auto x = exact_vector(kLength, 2);
  for (const bool constants : {true, false}) {
    const auto start = constants ? constant(kLength, 1.0) : exact_vector(kLength, 1);
    Vector<double> w = constants ? constant(kLength, 1.0) : start, m = constants ? constant(kLength, 1.0) : start;
    Vector<double> v = constants ? constant(kLength, 1.0) : start;
    Shared<Int> k = 0;
    while_([&] { return k < Int{4}; },
           [&] {
             m = zip_with(KASEN_FN((auto a, auto g), 2 * a - g), m, x);
             v = zip_with(KASEN_FN((auto a, auto g), a + 3 * g), v, x);
             w = zip_with(KASEN_FN((auto a, auto b, auto c), a + b - c), w, m, v);
             k = k + Int{1};
           });
    const auto by = exact_numbers(kLength, 2),
               begin = constants ? std::vector<double>(kLength, 1) : exact_numbers(kLength, 1);
    std::vector<double> want(kLength);
    for (std::size_t i = 0; i < kLength; ++i) {
      double a = begin[i], b = begin[i], c = begin[i];
      for (int round = 0; round < 4; ++round) b = 2 * b - by[i], c = c + 3 * by[i], a = a + b - c;
      want[i] = a;
    }
    EXPECT_EQ(w.get(), want);
    EXPECT_EQ(start.get(), begin);
  }
}

TEST_P(EndToEnd, RecordedLoop) {
  for (const bool mostly : {false, true}) {
    Shared<Int> k = 0;
    auto x = exact_vector(kLength, 1);
    const auto step = exact_vector(kLength, 2);  // an invariant
    const auto condition = [&] { return k < Int{5}; };
    const auto body = [&] {
      x = zip_with(plus, x, step);
      k = k + Int{1};
    };
    mostly ? while_(likely(condition), body) : while_(condition, body);
    auto want = exact_numbers(kLength, 1);
    const auto by = exact_numbers(kLength, 2);
    for (std::size_t i = 0; i < kLength; ++i) want[i] += 5 * by[i];
    EXPECT_EQ(x.get(), want);
    EXPECT_EQ(k.get(), 5);
    EXPECT_EQ(step.get(), by);
  }
}

TEST_P(EndToEnd, LoopWithProducts) {
  const auto graph = small_graph(5, 3, 2);
  const auto G = graph.distribute();
  Shared<Int> k = 0;
  auto x = exact_vector(G.rows(), 1);
  auto sum = reduce(plus, x);
  while_(likely([&] { return k < Int{4}; }), [&] {
    auto y = map(times, x, 0.5);
    x = zip_with(minus, mxv(first, plus, G, y), mxvt(first, plus, G, x));
    sum = sum + reduce(plus, x);
    k = k + Int{1};
  });
  auto v = exact_numbers(graph.height, 1);
  double total = 0;
  for (const double a : v) total += a;
  const auto add = [](double a, double b) { return a + b; };
  for (int round = 0; round < 4; ++round) {
    const auto one = serial_mxv(
        graph, [](double a) { return a * 0.5; }, add, 0.0, v);
    const auto two = serial_mxvt(
        graph, [](double a) { return a; }, add, 0.0, v);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = one[i] - two[i], total += v[i];
  }
  EXPECT_EQ(x.get(), v);
  EXPECT_EQ(sum.get(), total);
}

TEST_P(EndToEnd, LoopThatNeverRuns) {
  Shared<bool> again = false;
  auto x = exact_vector(kLength, 1), y = x;
  const auto z = map(plus, x, 1.0);
  while_(likely([&] { return again; }), [&] {
    y = zip_with(times, x, z);
    x = map(plus, z, 3.0);
    again = reduce(plus, y) > 0.0;
  });
  EXPECT_EQ(x.get(), exact_numbers(kLength, 1));
  EXPECT_EQ(y.get(), exact_numbers(kLength, 1));
  EXPECT_EQ(z.get(), added(exact_numbers(kLength, 1), 1));
  EXPECT_EQ(session().counts().iterations, 0u);
}

/// A division by zero of integers would end the program: what may not run, does not run ahead.
TEST_P(EndToEnd, PartialFunctionsDoNotRunAhead) {
  const auto graph = small_graph(4, 3);
  const auto G = graph.distribute();
  Vector<Int> x = constant(G.rows(), Int{64});
  Shared<Int> divisor = 2;
  while_(likely([&] { return divisor > Int{0}; }), [&] {
    x = mxv(first, max, G, map(divides, x, divisor));
    divisor = divisor - Int{1};
  });
  std::vector<Int> v(graph.height, 64);
  for (Int d = 2; d > 0; --d) {
    v = serial_mxv(
        graph, [d](Int a) { return a / d; }, [](Int a, Int b) { return a < b ? b : a; },
        std::numeric_limits<Int>::lowest(), v);
  }
  EXPECT_EQ(x.get(), v);
}

TEST_P(EndToEnd, SwappedValues) {
  for (const Int rounds : {0, 1, 2, 5}) {
    auto a = exact_vector(kLength, 1), b = exact_vector(kLength, 2);
    Shared<Int> p = 1, q = 100, k = 0;
    while_([&] { return k < rounds; },
           [&] {
             const auto t = a;
             a = b;
             b = t;
             const auto s = p;
             p = q;
             q = s;
             k = k + Int{1};
           });
    const bool odd = rounds % 2 == 1;
    EXPECT_EQ(a.get(), exact_numbers(kLength, odd ? 2 : 1));
    EXPECT_EQ(b.get(), exact_numbers(kLength, odd ? 1 : 2));
    EXPECT_EQ(p.get(), odd ? 100 : 1);
    EXPECT_EQ(q.get(), odd ? 1 : 100);
  }
}

TEST_P(EndToEnd, SwappedAndChangedValues) {
  auto a = exact_vector(kLength, 1), b = exact_vector(kLength, 2);
  Shared<Int> k = 0;
  while_([&] { return k < Int{5}; },
         [&] {
           const auto t = map(plus, a, 1.0);
           a = map(minus, b, 2.0);
           b = t;
           k = k + Int{1};
         });
  auto v = exact_numbers(kLength, 1), w = exact_numbers(kLength, 2);
  for (int round = 0; round < 5; ++round) {
    const auto t = added(v, 1);
    v = added(w, -2);
    w = t;
  }
  EXPECT_EQ(a.get(), v);
  EXPECT_EQ(b.get(), w);
}

/// Arrays of handles, rotated by one place an iteration: a cycle of moves.
TEST_P(EndToEnd, RotatedArrays) {
  constexpr std::size_t kPlaces = 4;
  std::vector<Vector<double>> history;
  std::array<Shared<double>, kPlaces> sums;
  for (std::size_t p = 0; p < kPlaces; ++p) {
    history.push_back(exact_vector(kLength, p));
    sums[p] = reduce(plus, history[p]);
  }
  Shared<Int> k = 0;
  while_(likely([&] { return k < Int{6}; }), [&] {
    auto newest = zip_with([](double a, double b) { return a - b + 1; }, history.front(), history.back());
    auto sum = reduce(plus, newest);
    for (std::size_t p = 0; p + 1 < kPlaces; ++p) {
      history[p] = history[p + 1];
      sums[p] = sums[p + 1];
    }
    history.back() = newest;
    sums.back() = sum;
    k = k + Int{1};
  });
  std::vector<std::vector<double>> v;
  for (std::size_t p = 0; p < kPlaces; ++p) v.push_back(exact_numbers(kLength, p));
  for (int round = 0; round < 6; ++round) {
    auto newest = v.front();
    for (std::size_t i = 0; i < kLength; ++i) newest[i] += 1 - v.back()[i];
    v.erase(v.begin());
    v.push_back(newest);
  }
  for (std::size_t p = 0; p < kPlaces; ++p) {
    double sum = 0;
    for (const double a : v[p]) sum += a;
    EXPECT_EQ(history[p].get(), v[p]) << p;
    EXPECT_EQ(sums[p].get(), sum) << p;
  }
}

/// Two variables with one value before, in and after the loop.
TEST_P(EndToEnd, TwoVariablesOfOneValue) {
  auto a = exact_vector(kLength, 1);
  auto b = a, last = a;
  Shared<Int> k = 0;
  while_([&] { return k < Int{3}; },
         [&] {
           last = a;
           a = zip_with(plus, a, b);
           b = a;
           k = k + Int{1};
         });
  auto v = exact_numbers(kLength, 1);
  const auto scaled = [&](double by) {
    auto w = v;
    for (double& x : w) x *= by;
    return w;
  };
  EXPECT_EQ(a.get(), scaled(8));
  EXPECT_EQ(b.get(), scaled(8));
  EXPECT_EQ(last.get(), scaled(4));
  b = map(plus, b, 1.0);
  EXPECT_EQ(a.get(), scaled(8));
}

/// A condition may store; it runs once more than the body.
TEST_P(EndToEnd, ConditionThatStores) {
  for (const bool mostly : {false, true}) {
    Shared<Int> tests = 0;
    auto x = exact_vector(kLength, 1), seen = constant(kLength, 0.0);
    const auto condition = [&] {
      tests = tests + Int{1};
      seen = map(plus, x, 10.0);
      return tests <= Int{3};
    };
    const auto body = [&] { x = zip_with([](double a, double s) { return a + s / 2; }, x, seen); };
    mostly ? while_(likely(condition), body) : while_(condition, body);
    auto v = exact_numbers(kLength, 1), w = v;
    Int count = 0;
    while (true) {
      ++count;
      w = added(v, 10);
      if (count > 3) break;
      for (std::size_t i = 0; i < kLength; ++i) v[i] += w[i] / 2;
    }
    EXPECT_EQ(x.get(), v);
    EXPECT_EQ(seen.get(), w);
    EXPECT_EQ(tests.get(), 4);
  }
}

/// A condition that is a variable, and one that reduces.
TEST_P(EndToEnd, ConditionsOfOtherKinds) {
  Shared<bool> on = true;
  auto x = constant(kLength, 1.0);
  while_([&] { return on; },
         [&] {
           x = map(times, x, 2.0);
           on = reduce(plus, x) < 500.0;
         });
  EXPECT_EQ(x.get(), std::vector<double>(kLength, 16.0));
  while_([&] { return reduce(max, x) > 1.0; }, [&] { x = map(times, x, 0.5); });
  EXPECT_EQ(x.get(), std::vector<double>(kLength, 1.0));
}

/// What a loop leaves unread, reads only from outside, or makes only for the next iteration.
TEST_P(EndToEnd, UnreadAndInvariantValues) {
  const auto graph = small_graph(4, 3);
  const auto G = graph.distribute();
  const auto weights = exact_vector(G.rows(), 4);
  auto x = exact_vector(G.rows(), 1), unread = x, previous = x;
  Shared<Int> k = 0;
  while_(likely([&] { return k < Int{3}; }), [&] {
    const auto spread = mxv(first, plus, G, weights);  // the same each time
    unread = map(times, x, 3.0);
    previous = x;
    x = zip_with([](double a, double s, double p) { return a / 2 + s - p; }, x, spread, previous);
    k = k + Int{1};
  });
  const auto spread = serial_mxv(
      graph, [](double a) { return a; }, [](double a, double b) { return a + b; }, 0.0, exact_numbers(graph.height, 4));
  auto v = exact_numbers(graph.height, 1), before = v;
  for (int r = 0; r < 3; ++r) {
    before = v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = v[i] / 2 + spread[i] - before[i];
  }
  EXPECT_EQ(x.get(), v);
  EXPECT_EQ(previous.get(), before);
  EXPECT_EQ(weights.get(), exact_numbers(graph.height, 4));
}

/// The same vectors through two loops and native code between, with results of each read.
TEST_P(EndToEnd, LoopAfterLoop) {
  auto x = exact_vector(kLength, 1);
  Shared<double> sum = 0.0;
  for (int outer = 0; outer < 3; ++outer) {
    Shared<Int> k = 0;
    while_(likely([&] { return k < Int{2}; }), [&] {
      x = map(plus, x, 0.5);
      k = k + Int{1};
    });
    Shared<Int> m = 0;
    while_([&] { return m < Int{2}; },
           [&] {
             sum = sum + reduce(plus, x);
             m = m + k;
           });
    if (outer != 1) x = map(times, x, -1.0);
  }
  auto v = exact_numbers(kLength, 1);
  double want = 0;
  for (int outer = 0; outer < 3; ++outer) {
    v = added(v, 1);
    for (const double a : v) want += a;
    if (outer != 1) {
      for (double& a : v) a *= -1;
    }
  }
  EXPECT_EQ(sum.get(), want);
  EXPECT_EQ(x.get(), v);
}

}  // namespace
}  // namespace kasen::tests
