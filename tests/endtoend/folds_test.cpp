/// @file
/// Folds: histograms, moments, sums of groups, beside serial loops, on numbers whose sums are exact.
#include <array>
#include <cstddef>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kElements = 103;

/// As large as a histogram of many bins: 4 KB.
using Bins = std::array<Int, 512>;
constexpr auto kCount = [](Bins& counts, GlobalIndex bin) { ++counts[static_cast<std::size_t>(bin)]; };
constexpr auto kAddCounts = [](Bins a, const Bins& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += b[k];
  return a;
};

struct Moments {
  Int n;
  double sum, products, least;
  bool operator==(const Moments&) const = default;
};
constexpr Moments kNoMoments{0, 0, 0, infinity};
constexpr auto kAddMoments = [](const Moments& a, const Moments& b) {
  return Moments{a.n + b.n, a.sum + b.sum, a.products + b.products, std::min(a.least, b.least)};
};
constexpr auto kTake = [](Moments m, double x, double y, double by, int above) {
  if (x > above) ++m.n;
  m.sum += x * by, m.products += x * y, m.least = std::min(m.least, x);
  return m;
};

Moments moments(const std::vector<double>& v, const std::vector<double>& w, double by, int above) {
  Moments m = kNoMoments;
  for (std::size_t i = 0; i < v.size(); ++i) m = kTake(m, v[i], w[i], by, above);
  return m;
}

TEST_P(EndToEnd, FoldsOfNumbersAndStructs) {
  const auto v = exact_numbers(kElements, 1), w = exact_numbers(kElements, 2);
  const auto x = exact_vector(kElements, 1), y = exact_vector(kElements, 2);
  const Shared<double> by = 3.0;
  const auto squares = fold(0.0, KASEN_FN((auto sum, auto a), sum + a * a), plus, x);
  const auto largest = fold(
      -infinity, [](double most, double a, double s) { return std::max(most, a * s); }, kasen::max, x, by);
  const auto all = fold(kNoMoments, kTake, kAddMoments, x, y, by, 2);
  const auto in_tuple = fold(
      std::int64_t{0}, [](Int& n, double a, double b, double s, int c, int d, int e) { n += a + b > s + c + d + e; },
      plus, std::make_tuple(x, y, by, 1, 2, -5));
  Int n = 0;
  for (std::size_t i = 0; i < kElements; ++i) n += v[i] + w[i] > 3 - 2;
  EXPECT_EQ(squares.get(), dot(v, v));
  EXPECT_EQ(largest.get(), 3 * *std::max_element(v.begin(), v.end()));
  EXPECT_EQ(all.get(), moments(v, w, 3, 2));
  EXPECT_EQ(in_tuple.get(), n);
}

/// Of what is made in the same pass, beside other reductions; and of vectors of a space whose elements are spread.
TEST_P(EndToEnd, HistogramsOfVectorsOfAnySpace) {
  const auto graph = small_graph();
  const auto G = graph.distribute();
  const auto ones = constant(G.rows(), Int{1});
  const auto degree = mxv(first, plus, G, ones);
  const auto bin = zip_with([](Int d, GlobalIndex i) { return (7 * d + i) % 512; }, degree, iota(G.columns()));
  const auto histogram = fold(Bins{}, kCount, kAddCounts, bin);
  const auto most = reduce(kasen::max, bin);
  const auto edges = fold(Int{0}, KASEN_FN((auto sum, auto d, auto b), sum + d * b), plus, degree, bin);
  Bins counts{};
  Int high = 0, sum = 0;
  const auto degrees =
      serial_mxv(graph, kSame, kAdd, 0.0, std::vector<double>(static_cast<std::size_t>(graph.height), 1.0));
  for (std::size_t i = 0; i < degrees.size(); ++i) {
    const Int d = static_cast<Int>(degrees[i]), b = (7 * d + static_cast<Int>(i)) % 512;
    ++counts[static_cast<std::size_t>(b)];
    high = std::max(high, b);
    sum += d * b;
  }
  EXPECT_EQ(histogram.get(), counts);
  EXPECT_EQ(most.get(), high);
  EXPECT_EQ(edges.get(), sum);
}

/// Spaces of fewer elements than workers, down to none.
TEST_P(EndToEnd, FoldsOfFewElements) {
  for (const std::uint64_t length : {0u, 1u, 2u, 3u}) {
    Bins counts{};
    for (std::size_t i = 0; i < length; ++i) ++counts[i];
    EXPECT_EQ(fold(Bins{}, kCount, kAddCounts, iota(length)).get(), counts);
    const auto v = exact_numbers(length, 4);
    const auto x = exact_vector(length, 4);
    EXPECT_EQ(fold(kNoMoments, kTake, kAddMoments, x, x, 2.0, 0).get(), moments(v, v, 2, 0));
  }
}

/// Of elements of T, with their ends of its range among them.
template <class T>
void expect_extrema(const Space& space) {
  constexpr T kLeast = std::numeric_limits<T>::lowest(), kMost = std::numeric_limits<T>::max();
  const auto f = [](GlobalIndex i) { return i % 5 == 2 ? kLeast : i % 7 == 3 ? kMost : static_cast<T>(i * 37 % 23); };
  Indexed<T> least{kMost, -1}, most{kLeast, -1};
  for (GlobalIndex i = 0; i < static_cast<GlobalIndex>(space.length()); ++i) {
    if (f(i) < least.value || least.index < 0) least = {f(i), i};
    if (f(i) > most.value || most.index < 0) most = {f(i), i};
  }
  const auto x = map(f, iota(space));
  EXPECT_EQ(argmin(x).get(), least);
  EXPECT_EQ(argmax(x).get(), most);
  EXPECT_EQ(argmin(constant(0, T{1})).get(), (Indexed<T>{Min::identity<T>(), -1}));
  EXPECT_EQ(argmax(constant(0, T{1})).get(), (Indexed<T>{Max::identity<T>(), -1}));
}

/// Elements of less than 8 bytes, and what float has beside numbers.
TEST_P(EndToEnd, ExtremaOfNarrowNumbers) {
  const auto graph = small_graph();
  const Space space = graph.distribute().rows();
  expect_extrema<float>(space);
  expect_extrema<std::uint32_t>(space);
  expect_extrema<std::int8_t>(space);
  expect_extrema<std::uint16_t>(space);
  expect_extrema<std::uint64_t>(space);
  const auto f = [](GlobalIndex i) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return i == 4 ? kInfinity : i == 6 ? -kInfinity : static_cast<float>(i);
  };
  const auto x = map(f, iota(space));
  EXPECT_EQ(argmax(x).get(), (Indexed<float>{std::numeric_limits<float>::infinity(), 4}));
  EXPECT_EQ(argmin(x).get(), (Indexed<float>{-std::numeric_limits<float>::infinity(), 6}));
  const auto nan_at = [](float a, GlobalIndex i) { return i == 3 || i == 5 ? std::nanf("") : a; };
  const Indexed<float> nan = argmin(zip_with(nan_at, x, iota(space))).get();
  EXPECT_EQ(nan.index, 3);
  EXPECT_TRUE(std::isnan(nan.value));
}

/// In a space whose elements are spread, of which the first of equal ones is on any worker.
TEST_P(EndToEnd, ExtremaWithTheirIndices) {
  const auto graph = small_graph();
  const auto G = graph.distribute();
  const auto x = map([](GlobalIndex i) { return static_cast<double>(i * 37 % 23 - 11); }, iota(G.rows()));
  Indexed<double> least{infinity, -1}, most{-infinity, -1};
  for (GlobalIndex i = 0; i < static_cast<GlobalIndex>(graph.height); ++i) {
    const auto a = static_cast<double>(i * 37 % 23 - 11);
    if (a < least.value) least = {a, i};
    if (a > most.value) most = {a, i};
  }
  EXPECT_EQ(argmin(x).get(), least);
  EXPECT_EQ(argmax(x).get(), most);
  const auto nan_at = [](double a, GlobalIndex i) { return i == 5 || i == 9 ? std::nan("") : a; };
  EXPECT_EQ(argmin(zip_with(nan_at, x, iota(G.rows()))).get().index, 5);
  EXPECT_EQ(argmax(zip_with(nan_at, x, iota(G.rows()))).get().index, 5);
  EXPECT_EQ(argmin(constant(3, std::int32_t{7})).get(), (Indexed<std::int32_t>{7, 0}));
  EXPECT_EQ(argmax(constant(2, -infinity)).get(), (Indexed<double>{-infinity, 0}));
  EXPECT_EQ(argmin(constant(0, 1.0)).get(), (Indexed<double>{infinity, -1}));
  EXPECT_EQ((member(argmin(x), &Indexed<double>::index) + GlobalIndex{1}).get(), least.index + 1);
}

constexpr std::size_t kGroups = 4;
struct Groups {
  std::array<double, kGroups> sum, count;
};
using Centres = std::array<double, kGroups>;

std::size_t nearest(double x, const Centres& centres) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < kGroups; ++j) {
    if (std::abs(x - centres[j]) < std::abs(x - centres[best])) best = j;
  }
  return best;
}
constexpr auto kAddToNearest = [](Groups& groups, double x, const Centres& centres) {
  const std::size_t j = nearest(x, centres);
  groups.sum[j] += x;
  groups.count[j] += 1;
};
constexpr auto kAddGroups = [](Groups a, const Groups& b) {
  for (std::size_t j = 0; j < kGroups; ++j) a.sum[j] += b.sum[j], a.count[j] += b.count[j];
  return a;
};
constexpr auto kMeans = [](const Groups& groups, Centres centres) {
  for (std::size_t j = 0; j < kGroups; ++j) {
    if (groups.count[j] > 0) centres[j] = groups.sum[j] / groups.count[j];
  }
  return centres;
};

/// Each iteration's step reads what the one before has folded.
TEST_P(EndToEnd, AFoldInALoop) {
  const auto v = exact_numbers(kElements, 6);
  const auto x = exact_vector(kElements, 6);
  Centres want{-3, -1, 1, 3};
  for (int k = 0; k < 5; ++k) {
    Groups groups{};
    for (const double a : v) kAddToNearest(groups, a, want);
    want = kMeans(groups, want);
  }
  Shared<Centres> centres = Centres{-3, -1, 1, 3};
  Shared<int> k = 0;
  while_(likely([&] { return k < 5; }), [&] {
    centres = apply(kMeans, fold(Groups{}, kAddToNearest, kAddGroups, x, centres), centres);
    ++k;
  });
  EXPECT_EQ(centres.get(), want);
}

}  // namespace
}  // namespace kasen::tests
