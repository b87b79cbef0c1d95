/// @file
/// Solvers, learning and recurrences: small but whole algorithms. What is exact is compared exactly, the rest within
/// kAgreement.
#include <algorithm>
#include <array>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

void add_scaled(std::vector<double>& a, double by, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += by * b[i];
}
Vector<double> add_scaled(const Vector<double>& a, const Shared<double>& by, const Vector<double>& b) {
  return zip_with([](double x, double y, double s) { return x + s * y; }, a, b, by);
}

/// Least squares by gradient descent: rows are samples, two index spaces, both directions of one matrix. The step is
/// halved whenever the loss would grow.
TEST_P(EndToEnd, GradientDescentWithStepControl) {
  const auto data = small_matrix(60, 7, 240, 5);
  const auto X = data.distribute();
  const auto y = exact_vector(X.rows(), 2);
  auto w = constant(X.columns(), 0.0);
  Shared<double> step = 0.01, loss = infinity;
  Shared<Int> k = 0, halved = 0;
  while_(likely([&] { return k < Int{30}; }), [&] {
    const auto error = zip_with(minus, mxvt(times, plus, X, w), y);
    const auto now = dot(error, error);
    if_(
        now <= loss, [&] { w = add_scaled(w, -step, mxv(times, plus, X, error)); },
        [&] {
          step = step * 0.5;
          w = map(times, w, 0.5);
          halved = halved + Int{1};
        });
    loss = now;
    k = k + Int{1};
  });
  const auto target = exact_numbers(60, 2);
  std::vector<double> v(7, 0.0);
  double by = 0.01, last = infinity;
  Int halvings = 0;
  for (int round = 0; round < 30; ++round) {
    auto error = serial_mxvt(data, kMultiply, kAdd, 0.0, v);
    add_scaled(error, -1, target);
    const double now = dot(error, error);
    if (now <= last) {
      add_scaled(v, -by, serial_mxv(data, kMultiply, kAdd, 0.0, error));
    } else {
      by *= 0.5, ++halvings;
      for (double& a : v) a *= 0.5;
    }
    last = now;
  }
  EXPECT_TRUE(near(w.get(), v, kAgreement, 1e-2));
  EXPECT_EQ(halved.get(), halvings);
  EXPECT_GT(halvings, 0);
  EXPECT_NEAR(loss.get(), last, kAgreement * last);
}

/// Conjugate gradients on a symmetric, diagonally dominant matrix.
TEST_P(EndToEnd, ConjugateGradients) {
  constexpr std::uint64_t n = 40;
  Sparse<double> a{n, n, {}};
  for (std::uint64_t i = 0; i < n; ++i) {
    const auto at = [](std::uint64_t k) { return static_cast<GlobalIndex>(k % n); };
    a.entries.push_back({at(i), at(i), 10.0});
    for (const std::uint64_t d : {1u, 7u}) {
      a.entries.push_back({at(i), at(i + d), -1.5});
      a.entries.push_back({at(i + d), at(i), -1.5});
    }
  }
  const auto A = a.distribute();
  const auto b = exact_vector(A.rows(), 1);
  auto x = constant(A.rows(), 0.0);
  auto r = b, p = b;
  auto rr = dot(r, r);
  while_(likely([&] { return rr > 1e-16; }), [&] {
    const auto ap = mxv(times, plus, A, p);
    const auto alpha = rr / dot(p, ap);
    x = add_scaled(x, alpha, p);
    r = add_scaled(r, -alpha, ap);
    const auto next = dot(r, r);
    p = add_scaled(r, next / rr, p);
    rr = next;
  });
  EXPECT_TRUE(near(serial_mxv(a, kMultiply, kAdd, 0.0, x.get()), exact_numbers(n, 1), 1e-7, 1.0));
}

/// The two loops of L-BFGS over arrays of handles, on a separable quadratic.
TEST_P(EndToEnd, LimitedMemoryBfgs) {
  constexpr std::size_t kMemory = 3;
  constexpr std::uint64_t n = 30;
  const auto weight = map([](GlobalIndex i) { return 1.0 + static_cast<double>(i % 5); }, iota(n));
  const auto goal = exact_vector(n, 3);
  const auto slope = [](double x, double g, double w) { return w * (x - g); };
  auto x = constant(n, 0.0);
  auto gradient = zip_with(slope, x, goal, weight);
  std::vector<Vector<double>> s, y;
  std::vector<Shared<double>> rho;
  for (std::size_t m = 0; m < kMemory; ++m) {
    s.push_back(constant(n, 0.0));
    y.push_back(constant(n, 0.0));
    rho.push_back(0.0);
  }
  Shared<Int> k = 0;
  while_(likely([&] { return k < Int{6}; }), [&] {
    auto q = gradient;
    std::vector<Shared<double>> alpha(kMemory, Shared<double>(0.0));
    for (std::size_t m = kMemory; m-- > 0;) {
      alpha[m] = rho[m] * dot(s[m], q);
      q = add_scaled(q, -alpha[m], y[m]);
    }
    q = map(times, q, 0.25);
    for (std::size_t m = 0; m < kMemory; ++m) q = add_scaled(q, alpha[m] - rho[m] * dot(y[m], q), s[m]);
    const auto x_next = zip_with(minus, x, q);
    const auto gradient_next = zip_with(slope, x_next, goal, weight);
    for (std::size_t m = 0; m + 1 < kMemory; ++m) s[m] = s[m + 1], y[m] = y[m + 1], rho[m] = rho[m + 1];
    s.back() = zip_with(minus, x_next, x);
    y.back() = zip_with(minus, gradient_next, gradient);
    rho.back() = 1.0 / dot(s.back(), y.back());
    x = x_next;
    gradient = gradient_next;
    k = k + Int{1};
  });

  std::vector<double> w(n), v(n, 0.0), g(n);
  const auto to = exact_numbers(n, 3);
  const auto slopes = [&](const std::vector<double>& at) {
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = w[i] * (at[i] - to[i]);
    return out;
  };
  for (std::size_t i = 0; i < n; ++i) w[i] = 1.0 + static_cast<double>(i % 5);
  g = slopes(v);
  std::vector<std::vector<double>> ss(kMemory, std::vector<double>(n, 0.0)), ys = ss;
  std::vector<double> rhos(kMemory, 0.0), alphas(kMemory);
  for (int round = 0; round < 6; ++round) {
    auto q = g;
    for (std::size_t m = kMemory; m-- > 0;) {
      alphas[m] = rhos[m] * dot(ss[m], q);
      add_scaled(q, -alphas[m], ys[m]);
    }
    for (double& a : q) a *= 0.25;
    for (std::size_t m = 0; m < kMemory; ++m) add_scaled(q, alphas[m] - rhos[m] * dot(ys[m], q), ss[m]);
    auto next = v;
    add_scaled(next, -1, q);
    const auto g_next = slopes(next);
    ss.erase(ss.begin()), ys.erase(ys.begin()), rhos.erase(rhos.begin());
    ss.push_back(next), ys.push_back(g_next);
    add_scaled(ss.back(), -1, v);
    add_scaled(ys.back(), -1, g);
    rhos.push_back(1.0 / dot(ss.back(), ys.back()));
    v = next, g = g_next;
  }
  EXPECT_TRUE(near(x.get(), v, kAgreement, 1.0));
  EXPECT_TRUE(near(gradient.get(), g, kAgreement, 1.0));
}

constexpr std::size_t kClusters = 3;
using Centres = std::array<double, kClusters>;
struct Members {
  Centres sum;
  std::array<std::int32_t, kClusters> count;
};
constexpr auto kJoin = [](Members a, const Members& b) {
  for (std::size_t c = 0; c < kClusters; ++c) a.sum[c] += b.sum[c], a.count[c] += b.count[c];
  return a;
};
std::int32_t closest(double x, const Centres& centres) {
  std::int32_t best = 0;
  for (std::size_t c = 1; c < kClusters; ++c) {
    if (std::abs(x - centres[c]) < std::abs(x - centres[static_cast<std::size_t>(best)]))
      best = static_cast<std::int32_t>(c);
  }
  return best;
}

Centres means(const Members& m, Centres old) {
  for (std::size_t c = 0; c < kClusters; ++c) {
    if (m.count[c] > 0) old[c] = m.sum[c] / m.count[c];
  }
  return old;
}

TEST_P(EndToEnd, KMeans) {
  constexpr std::uint64_t n = 200;
  const auto x = exact_vector(n, 1);
  Shared<Centres> centres = Centres{-4, 0, 4};
  Vector<std::int32_t> label = constant(n, std::int32_t{-1});
  Shared<std::int32_t> moved = 1;
  while_(likely([&] { return moved > 0; }), [&] {
    const auto next = map([](double a, const Centres& c) { return closest(a, c); }, x, centres);
    moved = reduce(plus, zip_with([](int a, int b) { return a != b ? 1 : 0; }, label, next));
    const auto one = zip_with(
        [](double a, std::int32_t c) {
          Members m{};
          m.sum[static_cast<std::size_t>(c)] = a;
          m.count[static_cast<std::size_t>(c)] = 1;
          return m;
        },
        x, next);
    centres = apply(means, reduce(kJoin, one), centres);
    label = next;
  });
  Centres c{-4, 0, 4};
  const auto v = exact_numbers(n, 1);
  std::vector<std::int32_t> want(n, -1);
  for (bool again = true; again;) {
    again = false;
    Members m{};
    for (std::size_t i = 0; i < n; ++i) {
      const auto best = closest(v[i], c);
      again |= best != want[i];
      want[i] = best;
      m.sum[static_cast<std::size_t>(best)] += v[i];
      m.count[static_cast<std::size_t>(best)] += 1;
    }
    c = means(m, c);
  }
  EXPECT_EQ(label.get(), want);
  EXPECT_EQ(centres.get(), c);
}

/// No vector at all: Newton's square root beside Fibonacci, in one loop.
TEST_P(EndToEnd, RecurrencesOfShareds) {
  Shared<double> root = 1.0;
  Shared<Int> f = 0, g = 1, k = 0;
  while_([&] { return k < Int{20}; },
         [&] {
           root = apply([](double r) { return (r + 2 / r) / 2; }, root);
           const auto sum = f + g;
           f = g;
           g = sum;
           k = k + Int{1};
         });
  EXPECT_EQ(f.get(), 6765);
  EXPECT_EQ(g.get(), 10946);
  EXPECT_NEAR(root.get(), std::sqrt(2.0), 1e-15);
}

/// A polynomial by Horner's rule, coefficients by Shared recurrences, over a vector that never changes.
TEST_P(EndToEnd, RecurrenceWithVectors) {
  constexpr std::uint64_t n = 50;
  const auto x = map(times, exact_vector(n, 1), 0.125);
  auto value = constant(n, 0.0);
  Shared<double> coefficient = 1.0;
  Shared<Int> k = 0;
  while_(likely([&] { return k < Int{5}; }), [&] {
    value = zip_with([](double p, double at, double c) { return p * at + c; }, value, x, coefficient);
    coefficient = 1.0 - coefficient * 2.0;
    k = k + Int{1};
  });
  std::vector<double> want(n, 0.0);
  const auto at = exact_numbers(n, 1);
  double c = 1;
  for (int r = 0; r < 5; ++r, c = 1 - c * 2) {
    for (std::size_t i = 0; i < n; ++i) want[i] = want[i] * (at[i] * 0.125) + c;
  }
  EXPECT_TRUE(near(value.get(), want, kAgreement, 1e-2));
}

/// Steps until every element has come to 1: an inner loop runs as long as any is even.
TEST_P(EndToEnd, NestedLoopsUntilAllAreDone) {
  constexpr std::uint64_t n = 40;
  auto x = map([](GlobalIndex i) { return static_cast<Int>(i) + 1; }, iota(n));
  Vector<Int> steps = constant(n, Int{0});
  while_(likely([&] { return reduce(max, x) > Int{1}; }), [&] {
    while_(likely([&] { return reduce(logical_or, map([](Int a) { return a % 2 == 0; }, x)); }), [&] {
      steps = zip_with([](Int s, Int a) { return a % 2 == 0 ? s + 1 : s; }, steps, x);
      x = map([](Int a) { return a % 2 == 0 ? a / 2 : a; }, x);
    });
    steps = zip_with([](Int s, Int a) { return a > 1 ? s + 1 : s; }, steps, x);
    x = map([](Int a) { return a > 1 ? 3 * a + 1 : a; }, x);
  });
  std::vector<Int> want;
  for (Int i = 1; i <= static_cast<Int>(n); ++i) {
    Int count = 0;
    for (Int a = i; a != 1; ++count) a = a % 2 == 0 ? a / 2 : 3 * a + 1;
    want.push_back(count);
  }
  EXPECT_EQ(steps.get(), want);
}

}  // namespace
}  // namespace kasen::tests
