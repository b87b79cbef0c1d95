/// @file
/// Fold kernels: accumulators with and without lanes, steps of both kinds, and bits that do not depend on how tiles are
/// cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/kernels.h"

namespace kasen::runtime {
namespace {

/// Folds the elements of vectors of one length, with at most one Shared.
template <class A, class... T>
A folded(const FoldKernel& kernel, std::size_t tile_elements, const void* shared, const std::vector<T>&... vectors) {
  std::vector<CacheLine> lanes(lines_of(kernel.lanes_bytes));
  kernel.begin(kernel.context.get(), lanes.data());
  const std::size_t n = std::get<0>(std::tie(vectors...)).size();
  for (std::size_t first = 0; first < n; first += tile_elements) {
    const void* in[] = {vectors.data() + first...};
    Tile tile;
    tile.in = in;
    tile.shared = &shared;
    tile.n = static_cast<std::uint32_t>(std::min(tile_elements, n - first));
    kernel.fold(kernel.context.get(), lanes.data(), tile);
  }
  A out;
  EXPECT_TRUE(kernel.finish(kernel.context.get(), lanes.data(), &out));
  return out;
}

std::vector<double> fractions(std::size_t n) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = 1.0 / static_cast<double>(3 * i + 1);
  return values;
}

const auto kAdd = [](const auto& a, const auto& b) { return a + b; };

struct Moments {
  double sum, squares;
  std::int64_t n;
};
const auto kAddMoments = [](const Moments& a, const Moments& b) {
  return Moments{a.sum + b.sum, a.squares + b.squares, a.n + b.n};
};
const auto kTakeMoments = [](Moments& m, double x, double y) {
  m.sum += x;
  m.squares += x * y;
  m.n += x > 0.01 ? 1 : 0;
};
const FoldKernel kMoments =
    fold_kernel(Moments{0, 0, 0}, kTakeMoments, kAddMoments, VectorOperand<double>(), VectorOperand<double>());

TEST(FoldKernel, TakesUpEveryElement) {
  const auto returns = [](std::int64_t a, std::int64_t x, std::int64_t s, std::int64_t p) { return a + s * x + p; };
  const auto changes = [](std::int64_t& a, std::int64_t x, std::int64_t s, std::int64_t p) { a += s * x + p; };
  const VectorOperand<std::int64_t> x;
  const SharedOperand<std::int64_t> s;
  const PlainOperand<std::int64_t> p{5};
  const std::int64_t three = 3;
  for (const FoldKernel& kernel :
       {fold_kernel(std::int64_t{0}, returns, kAdd, x, s, p), fold_kernel(std::int64_t{0}, changes, kAdd, x, s, p)}) {
    for (const std::size_t n : {0u, 1u, 5u, 31u, 32u, 33u, 64u, 100u, 1000u}) {
      std::vector<std::int64_t> values(n);
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = static_cast<std::int64_t>(i) - 3;
        sum += 3 * values[i] + 5;
      }
      for (const std::size_t tile : {1u, 3u, 32u, 50u, 4096u})
        EXPECT_EQ(folded<std::int64_t>(kernel, tile, &three, values), sum) << n << " in tiles of " << tile;
    }
  }
}

/// As many elements apart as there are lanes, in the order that the documentation promises.
Moments by_lanes(const std::vector<double>& values) {
  constexpr std::size_t lanes = kLanes<Moments>;
  std::vector<Moments> each(lanes, Moments{0, 0, 0});
  for (std::size_t i = 0; i < values.size(); ++i) kTakeMoments(each[i % lanes], values[i], values[i]);
  Moments all = each[0];
  for (std::size_t at = 1; at < std::min(lanes, values.size()); ++at) all = kAddMoments(all, each[at]);
  return all;
}

TEST(FoldKernel, ElementsOfSmallStructsTakeTurnsWhateverTheTile) {
  for (const std::size_t n : {1u, 20u, 21u, 22u, 43u, 1237u}) {
    const std::vector<double> values = fractions(n);
    const Moments expected = by_lanes(values);
    EXPECT_EQ(expected.n, std::count_if(values.begin(), values.end(), [](double x) { return x > 0.01; }));
    for (const std::size_t tile : {1u, 5u, 20u, 21u, 22u, 64u, 100u, 2000u}) {
      const Moments got = folded<Moments>(kMoments, tile, nullptr, values, values);
      EXPECT_EQ(got.n, expected.n);
      EXPECT_NEAR(got.sum, expected.sum, 1e-12);
      // The compiler may contract a product and a sum in one of both: tiles must not differ, the reference may.
      EXPECT_NEAR(got.squares, expected.squares, 1e-12);
      const Moments whole = folded<Moments>(kMoments, n, nullptr, values, values);
      EXPECT_EQ(got.sum, whole.sum) << n << " in tiles of " << tile;
    }
  }
}

TEST(FoldKernel, BitsOfNumbersDoNotDependOnTheTile) {
  const auto values = fractions(1237);
  const FoldKernel kernel = fold_kernel(
      0.0, [](double a, double x) { return a + x; }, kAdd, VectorOperand<double>());
  const double expected = folded<double>(kernel, values.size(), nullptr, values);
  for (std::size_t tile = 1; tile < 140; ++tile) {
    const double got = folded<double>(kernel, tile, nullptr, values);
    EXPECT_EQ(std::memcmp(&got, &expected, sizeof got), 0) << "tiles of " << tile;
  }
}

/// What is too large for lanes takes its elements in their order.
TEST(FoldKernel, LargeAccumulatorsTakeElementsInOrder) {
  struct Trace {
    std::array<double, 1000> last;
    double mixed;
    std::uint32_t n;
  };
  const auto take = [](Trace& t, double x) {
    t.last[t.n++ % t.last.size()] = x;
    t.mixed = t.mixed / 2 + x;
  };
  const auto values = fractions(1500);
  const FoldKernel kernel = fold_kernel(
      Trace{}, take, [](const Trace& a, const Trace&) { return a; }, VectorOperand<double>());
  double mixed = 0;
  for (const double x : values) mixed = mixed / 2 + x;
  for (const std::size_t tile : {1u, 7u, 256u, 1500u}) {
    const Trace got = folded<Trace>(kernel, tile, nullptr, values);
    EXPECT_EQ(got.n, 1500u);
    EXPECT_EQ(got.last[499], values[1499]);
    EXPECT_EQ(got.mixed, mixed);
  }
}

/// Nor have arrays, of which a step changes one element or another, lanes, however small.
TEST(FoldKernel, LanesAreOfNumbersAndSmallStructs) {
  using Pair = std::array<double, 2>;
  EXPECT_TRUE(detail::has_lanes<double>());
  EXPECT_TRUE(detail::has_lanes<bool>());
  EXPECT_TRUE(detail::has_lanes<Moments>());
  EXPECT_FALSE(detail::has_lanes<Pair>());
  struct Bytes {
    std::uint8_t r, g;
  };
  EXPECT_FALSE(detail::has_lanes<Bytes>());
  struct Large {
    double x[9];
  };
  EXPECT_FALSE(detail::has_lanes<Large>());
}

/// Elements and Shareds of any size, counted by element, and steps that read all of them.
TEST(FoldKernel, WorksOnStructs) {
  struct Point {
    double x[16];
  };
  struct Weights {
    double w[40];
  };
  using Sums = std::array<double, 16>;
  const auto take = [](Sums& sums, const Point& p, const Weights& weights) {
    for (std::size_t c = 0; c < 16; ++c) sums[c] += p.x[c] * weights.w[c + 24];
  };
  const auto merge = [](Sums a, const Sums& b) {
    for (std::size_t c = 0; c < 16; ++c) a[c] += b[c];
    return a;
  };
  Weights weights{};
  for (std::size_t c = 0; c < 16; ++c) weights.w[c + 24] = static_cast<double>(c);
  std::vector<Point> points(77);
  Sums expected{};
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t c = 0; c < 16; ++c) {
      points[i].x[c] = static_cast<double>((i * 5 + c) % 11);
      expected[c] += points[i].x[c] * static_cast<double>(c);
    }
  }
  const FoldKernel kernel = fold_kernel(Sums{}, take, merge, VectorOperand<Point>(), SharedOperand<Weights>());
  EXPECT_EQ((folded<Sums>(kernel, 20, &weights, points)), expected);
}

}  // namespace
}  // namespace kasen::runtime
