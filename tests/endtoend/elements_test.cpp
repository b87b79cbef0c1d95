/// @file
/// Sources, map, zip_with, reduce and work on Shareds, each by itself and a few together, on numbers whose sums are
/// exact: results are equal, not close.
#include <array>
#include <set>

#include "kasen/base/error.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

struct Particle {
  double mass;
  std::array<float, 3> at;
  std::int32_t kind;
};

struct Largest {
  double value;
  std::uint64_t index;
};

/// Stateless, so its type says what it is; without identity.
constexpr auto kLarger = [](const Largest& a, const Largest& b) {
  return a.value > b.value || (a.value == b.value && a.index < b.index) ? a : b;
};

constexpr std::uint64_t kElements = 103;

TEST_P(EndToEnd, MapWithSharedAndPlainArguments) {
  const auto v = exact_numbers(kElements, 1);
  const auto x = exact_vector(kElements, 1);
  const Shared<double> s = 3.0;
  const Shared<std::int32_t> t = 2;
  const auto one = map([](double a) { return a * a; }, x);
  const auto two = map([](double a, double b) { return a + b; }, x, s);
  const auto three = map([](double a, double b, int c) { return a * b + c; }, x, s, 7);
  const auto four = map([](double a, int b, double c, float d) { return a * c + b - d; }, x, t, s, 0.5f);
  const auto five = map([](double a, int b, double c, int d, double e) { return a * c + b - d * e; }, x, t, s, 4, s);
  const auto integer = map([](double a) { return static_cast<std::int64_t>(a * 4); }, x);
  const auto flag = map([](std::int64_t a) { return a % 3 == 0; }, integer);
  const auto text = map([](bool f) { return f ? 'y' : 'n'; }, flag);
  std::vector<double> e1, e2, e3, e4, e5;
  std::vector<char> e6;
  for (const double a : v) {
    e1.push_back(a * a), e2.push_back(a + 3), e3.push_back(a * 3 + 7), e4.push_back(a * 3 + 2 - 0.5);
    e5.push_back(a * 3 + 2 - 4 * 3.0), e6.push_back(static_cast<std::int64_t>(a * 4) % 3 == 0 ? 'y' : 'n');
  }
  EXPECT_EQ(one.get(), e1);
  EXPECT_EQ(two.get(), e2);
  EXPECT_EQ(three.get(), e3);
  EXPECT_EQ(four.get(), e4);
  EXPECT_EQ(five.get(), e5);
  EXPECT_EQ(text.get(), e6);
}

TEST_P(EndToEnd, ZipWithOfManyVectors) {
  const auto a = exact_numbers(kElements, 1), b = exact_numbers(kElements, 2), c = exact_numbers(kElements, 3);
  const auto x = exact_vector(kElements, 1), y = exact_vector(kElements, 2), z = exact_vector(kElements, 3);
  const Shared<double> s = 2.0;
  const auto two = zip_with(minus, x, y);
  const auto three = zip_with([](double p, double q, double r) { return p * q + r; }, x, y, z);
  const auto mixed = zip_with([](double p, double q, double r, int i) { return p * r + q - i; }, x, y, s, 5);
  const auto five =
      zip_with([](double p, double q, double r, double t, double u) { return p + q * r - t * u; }, x, y, z, two, three);
  const auto seven = zip_with(
      [](double p, double q, double r, double t, double u, double w, int i) { return p + q + r + t + u + w + i; },
      std::tie(x, y, z, two, mixed, s, s));
  const auto twice = zip_with(times, x, x);
  for (int round = 0; round < 2; ++round) {
    const auto got2 = two.get(), got3 = three.get(), got4 = mixed.get(), got5 = five.get(), got7 = seven.get(),
               got1 = twice.get();
    for (std::size_t i = 0; i < kElements; ++i) {
      const double w2 = a[i] - b[i], w3 = a[i] * b[i] + c[i], w4 = a[i] * 2 + b[i] - 5;
      ASSERT_EQ(got2[i], w2);
      ASSERT_EQ(got3[i], w3);
      ASSERT_EQ(got4[i], w4);
      ASSERT_EQ(got5[i], a[i] + b[i] * c[i] - w2 * w3);
      ASSERT_EQ(got7[i], a[i] + b[i] + c[i] + w2 + w4 + 2 + 2);
      ASSERT_EQ(got1[i], a[i] * a[i]);
    }
  }
}

TEST_P(EndToEnd, StructElements) {
  const auto mass = exact_vector(kElements, 5);
  const auto particles = zip_with(
      [](double m, GlobalIndex i) {
        return Particle{m, {static_cast<float>(i), 1.0f, 2.0f}, static_cast<std::int32_t>(i) % 4};
      },
      mass, iota(kElements));
  const auto moved = map(
      [](Particle p, float by) {
        for (float& x : p.at) x += by;
        return p;
      },
      particles, 0.5f);
  const auto heavy = map([](const Particle& p) { return p.kind == 2 ? p.mass : 0.0; }, moved);
  const auto got = moved.get();
  const auto want = exact_numbers(kElements, 5);
  double sum = 0;
  for (std::size_t i = 0; i < kElements; ++i) {
    ASSERT_EQ(got[i].mass, want[i]);
    ASSERT_EQ(got[i].at[0], static_cast<float>(i) + 0.5f);
    ASSERT_EQ(got[i].kind, static_cast<std::int32_t>(i % 4));
    if (i % 4 == 2) sum += want[i];
  }
  EXPECT_EQ(reduce(plus, heavy).get(), sum);
}

TEST_P(EndToEnd, Reductions) {
  const auto v = exact_numbers(kElements, 9);
  const auto x = exact_vector(kElements, 9);
  const auto n = map([](GlobalIndex i) { return static_cast<std::uint32_t>(i) * 2654435761u; }, iota(kElements));
  const auto f = map([](double a) { return a > 4; }, x);
  double sum = 0, low = v[0], high = v[0];
  std::uint32_t either = 0, both = ~0u, odd = 0;
  bool any = false, all = true;
  Largest top{v[0], 0};
  for (std::size_t i = 0; i < kElements; ++i) {
    const auto k = static_cast<std::uint32_t>(i) * 2654435761u;
    sum += v[i], low = std::min(low, v[i]), high = std::max(high, v[i]);
    either |= k, both &= k, odd ^= k, any |= v[i] > 4, all &= v[i] > 4;
    top = kLarger(top, Largest{v[i], i});
  }
  const auto where = zip_with(
      [](double a, GlobalIndex i) {
        return Largest{a, static_cast<std::uint64_t>(i)};
      },
      x, iota(kElements));
  const auto s_sum = reduce(plus, x), s_low = reduce(min, x), s_high = reduce(max, x);
  const auto s_top = reduce(kLarger, where);
  const auto s_either = reduce(bit_or, n), s_both = reduce(bit_and, n), s_odd = reduce(bit_xor, n);
  const auto s_any = reduce(logical_or, f), s_all = reduce(logical_and, f);
  const auto s_product =
      reduce(times, map([](double a) { return a < 0 ? -1.0 : 2.0; }, map([](double a) { return a; }, x)));
  double product = 1;
  for (const double a : v) product *= a < 0 ? -1.0 : 2.0;
  EXPECT_EQ(s_sum.get(), sum);
  EXPECT_EQ(s_low.get(), low);
  EXPECT_EQ(s_high.get(), high);
  EXPECT_EQ(s_either.get(), either);
  EXPECT_EQ(s_both.get(), both);
  EXPECT_EQ(s_odd.get(), odd);
  EXPECT_EQ(s_any.get(), any);
  EXPECT_EQ(s_all.get(), all);
  EXPECT_EQ(s_top.get().value, top.value);
  EXPECT_EQ(s_top.get().index, top.index);
  EXPECT_EQ(s_product.get(), product);
}

/// Spaces of fewer elements than workers, down to none: some or all workers have nothing to contribute.
TEST_P(EndToEnd, ReductionsOfFewElements) {
  for (const std::uint64_t length : {1u, 2u, 3u}) {
    const auto where = map(
        [](GlobalIndex i) {
          return Largest{-1.0 - static_cast<double>(i), static_cast<std::uint64_t>(i)};
        },
        iota(length));
    EXPECT_EQ(reduce(kLarger, where).get().index, 0u);
    EXPECT_EQ(reduce(plus, constant(length, 2.5)).get(), 2.5 * static_cast<double>(length));
  }
  const auto nothing = constant(0, 1.0);
  EXPECT_EQ(reduce(plus, nothing).get(), 0.0);
  EXPECT_EQ(reduce(min, nothing).get(), infinity);
  EXPECT_EQ(nothing.get(), std::vector<double>());
  const auto with = with_identity([](double a, double b) { return std::max(a, b); }, -7.0);
  EXPECT_EQ(reduce(with, nothing).get(), -7.0);
  const auto without = reduce([](double a, double b) { return std::max(a, b); }, nothing);
  EXPECT_THROW(without.get(), ProgramError);
  EXPECT_THROW((without + 1.0).get(), ProgramError);  // of nothing comes nothing
}

TEST_P(EndToEnd, Sources) {
  const auto graph = small_graph(5, 3);
  const auto G = graph.distribute();  // its space is hashed under hybrid-cut and others; the other one never is
  const Space hashed = G.rows(), blocks = separate_space(graph.height, "apart");
  for (const Space& space : {hashed, blocks}) {
    EXPECT_EQ(constant(space, std::int32_t{4}).get(), std::vector<std::int32_t>(graph.height, 4));
    std::vector<GlobalIndex> indices(graph.height);
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<GlobalIndex>(i);
    EXPECT_EQ(iota(space).get(), indices);
  }
  const auto numbers = kasen::random(hashed, 7).get();
  EXPECT_EQ(kasen::random(blocks, 7).get(), numbers);
  EXPECT_NE(kasen::random(blocks, 8).get(), numbers);
  EXPECT_EQ(std::set<double>(numbers.begin(), numbers.end()).size(), numbers.size());
  for (const double x : numbers) {
    EXPECT_GE(x, 0.0);
    EXPECT_LT(x, 1.0);
  }
  const double mean = reduce(plus, kasen::random(10000, 1)).get() / 10000;
  EXPECT_NEAR(mean, 0.5, 0.02);
}

TEST_P(EndToEnd, SharedsAndTheirOperators) {
  const Shared<double> a = 3.0, b = 4.0;
  const Shared<std::int64_t> n = 10;
  EXPECT_EQ((a + b).get(), 7.0);
  EXPECT_EQ((a - b).get(), -1.0);
  EXPECT_EQ((a * b).get(), 12.0);
  EXPECT_EQ((a / b).get(), 0.75);
  EXPECT_EQ((-a).get(), -3.0);
  EXPECT_EQ((2.0 * a + 1).get(), 7.0);
  EXPECT_EQ((1 / b - a).get(), -2.75);
  EXPECT_TRUE((a < b && !(a > b)).get());
  EXPECT_TRUE((a <= 3.0 || a >= 100).get());
  EXPECT_TRUE((n == std::int64_t{10}).get());
  EXPECT_FALSE((n != std::int64_t{10}).get());
  EXPECT_EQ((a * n).get(), 30.0);
  const auto norm = apply([](double x, double y) { return std::sqrt(x * x + y * y); }, a, b);
  const auto four = apply(
      [](double x, double y, std::int64_t k, double z) { return x + y * static_cast<double>(k) - z; }, a, b, n, norm);
  EXPECT_EQ(norm.get(), 5.0);
  EXPECT_EQ(four.get(), 38.0);
  const auto pair = apply([](double x) { return std::array<double, 2>{x, -x}; }, a);
  EXPECT_EQ(pair.get()[1], -3.0);
  const auto sum = reduce(plus, map(times, exact_vector(kElements, 1), a));
  double want = 0;
  for (const double x : exact_numbers(kElements, 1)) want += 3 * x;
  EXPECT_EQ((sum + a).get(), want + 3);
}

/// The 2-norm scaled out of a vector again and again: Shareds of one plan feed the vectors of the same plan.
TEST_P(EndToEnd, SharedOfReductionFeedsVectors) {
  auto x = exact_vector(kElements, 1);
  auto v = exact_numbers(kElements, 1);
  for (int round = 0; round < 3; ++round) {
    const auto high = reduce(max, map([](double a) { return std::abs(a); }, x));
    const auto low = reduce(min, x);
    x = map([](double a, double h, double l) { return a * h - l; }, x, high, low);
    double h = 0, l = infinity;
    for (const double a : v) h = std::max(h, std::abs(a)), l = std::min(l, a);
    for (double& a : v) a = a * h - l;
  }
  EXPECT_EQ(x.get(), v);
}

/// Copies are variables of their own, and values that nobody reads any more are not missed.
TEST_P(EndToEnd, CopiesAndDroppedHandles) {
  auto x = exact_vector(kElements, 1);
  const auto old = x;
  {
    const auto unused = map([](double a) { return a * 100; }, x);
    x = map(plus, unused, 1.0);
  }
  const auto v = exact_numbers(kElements, 1);
  const auto got = x.get();
  for (std::size_t i = 0; i < kElements; ++i) ASSERT_EQ(got[i], v[i] * 100 + 1);
  const auto both = zip_with(minus, x, old);
  x = old;
  EXPECT_EQ(x.get(), v);
  EXPECT_EQ(both.get()[3], v[3] * 99 + 1);
  EXPECT_EQ(old.get(), v);
}

}  // namespace
}  // namespace kasen::tests
