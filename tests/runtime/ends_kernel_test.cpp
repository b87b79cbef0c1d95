/// @file
/// Kernels of MxVs of both ends against plain loops: tiles of all sizes, pulled, pushed and dense, also where results
/// are added to. Numbers are whole: results are equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "kasen/runtime/kernels.h"
#include "tests/runtime/every_way.h"

namespace kasen::runtime {
namespace {

using Three = std::array<double, 3>;
using Long = std::int64_t;
constexpr std::uint32_t kWalked = 75, kOthers = 60;

/// Compressed along the side that is walked; some of its elements have no entries, some as many as there can be.
struct Entries {
  std::vector<std::uint64_t> pointer{0};
  std::vector<std::uint32_t> index;
  std::vector<double> value;

  Entries() {
    for (std::uint32_t j = 0; j < kWalked; ++j) {
      const std::uint32_t most = j % 7 == 3 ? 0 : j % 11 == 0 ? kOthers : j % 13;
      for (std::uint32_t i = 0; i < most; ++i) {
        index.push_back((i * 37 + j) % kOthers);
        value.push_back(static_cast<double>((i + 3 * j) % 9) - 4);
      }
      pointer.push_back(index.size());
    }
  }
  MatrixTile tile(std::uint32_t first, std::uint32_t n, Prefetched prefetched) const {
    MatrixTile tile;
    tile.matrix = {pointer.data(), index.data(), value.data()};
    tile.first = first;
    tile.n = n;
    set_prefetched(prefetched, index.size(), tile);
    return tile;
  }
};

template <class T>
std::vector<T> numbers(std::size_t n, std::size_t seed) {
  std::vector<T> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<T>((i * 7 + seed) % 23) - T{9};
  return result;
}
std::vector<Three> triples(std::size_t n) {
  std::vector<Three> result(n);
  for (std::size_t i = 0; i < n; ++i)
    result[i] = {static_cast<double>(i % 5), 2 - static_cast<double>(i % 3), static_cast<double>(i % 7)};
  return result;
}

constexpr auto kAdd = [](double a, double b) { return a + b; };
/// Of two vectors of inputs and one of outputs.
constexpr auto kOfAll = [](const Three& t, Long n, double m, float y) {
  return t[0] * m + t[1] * static_cast<double>(n) - t[2] * static_cast<double>(y);
};

template <Op direction>
MatrixKernel kernel() {
  const std::tuple<VectorOperand<Three>, VectorOperand<Long>> in;
  return ends_kernel<direction, double>(in, std::tuple<VectorOperand<float>>(), kOfAll, kAdd, 0.0);
}

TEST(EndsKernel, PullsTilesOfAnySize) {
  const Entries m;
  const auto t = triples(kOthers);
  const auto n = numbers<Long>(kOthers, 4);
  const auto y = numbers<float>(kWalked, 1);
  std::vector<double> want(kWalked);
  for (std::uint32_t j = 0; j < kWalked; ++j) {
    for (std::uint64_t e = m.pointer[j]; e < m.pointer[j + 1]; ++e)
      want[j] += kOfAll(t[m.index[e]], n[m.index[e]], m.value[e], y[j]);
  }
  const MatrixKernel pulling = kernel<Op::mxv>();
  for (const std::uint32_t size : {1u, 2u, 7u, 64u, kWalked}) {
    for (const Prefetched prefetched : kEveryWay) {
      std::vector<double> out(kWalked, 99);
      for (std::uint32_t first = 0; first < kWalked; first += size) {
        MatrixTile tile = m.tile(first, std::min(size, kWalked - first), prefetched);
        const void* in[] = {t.data(), n.data(), y.data() + first};
        void* target = out.data() + first;
        tile.in = in;
        tile.out = &target;
        pulling.pull[0](pulling.context.get(), tile);
      }
      EXPECT_EQ(out, want) << size;
    }
  }
}

TEST(EndsKernel, PushesToWhatIsThere) {
  const Entries m;
  const auto t = triples(kWalked);
  const auto n = numbers<Long>(kWalked, 4);
  const auto y = numbers<float>(kOthers, 1);
  std::vector<double> want(kOthers, 5);
  for (std::uint32_t i = 0; i < kWalked; ++i) {
    for (std::uint64_t e = m.pointer[i]; e < m.pointer[i + 1]; ++e)
      want[m.index[e]] += kOfAll(t[i], n[i], m.value[e], y[m.index[e]]);
  }
  const MatrixKernel pushing = kernel<Op::mxv>();
  for (const std::uint32_t size : {1u, 16u, kWalked}) {
    for (const Prefetched prefetched : kEveryWay) {
      std::vector<double> out(kOthers, 5);
      for (std::uint32_t first = 0; first < kWalked; first += size) {
        MatrixTile tile = m.tile(first, std::min(size, kWalked - first), prefetched);
        const void* in[] = {t.data() + first, n.data() + first, y.data()};
        void* target = out.data();
        tile.in = in;
        tile.out = &target;
        pushing.push(pushing.context.get(), tile);
      }
      EXPECT_EQ(out, want) << size;
    }
  }
}

TEST(EndsKernel, OverAPatternGivesTheIdentityWhereThereIsNothing) {
  const Entries m;
  const auto x = numbers<double>(kOthers, 2), y = numbers<double>(kWalked, 6);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto apart = [](double a, double b) { return a - b; };
  const std::tuple<VectorOperand<double>> one;
  const MatrixKernel pulling = ends_kernel<Op::mxvt, void>(
      one, one, apart, [](double a, double b) { return std::min(a, b); }, infinity);
  EXPECT_EQ(pulling.dense, nullptr);
  std::vector<double> out(kWalked), want(kWalked, infinity);
  MatrixTile tile = m.tile(0, kWalked, Prefetched::nothing);
  tile.matrix.value = nullptr;
  const void* in[] = {x.data(), y.data()};
  void* target = out.data();
  tile.in = in;
  tile.out = &target;
  pulling.pull[0](pulling.context.get(), tile);
  for (std::uint32_t j = 0; j < kWalked; ++j) {
    for (std::uint64_t e = m.pointer[j]; e < m.pointer[j + 1]; ++e)
      want[j] = std::min(want[j], apart(x[m.index[e]], y[j]));
  }
  EXPECT_EQ(out, want);
}

/// Rectangles within a larger matrix, of all shapes around the numbers of rows and columns taken at once.
template <Op direction>
void expect_dense() {
  constexpr std::uint64_t stride = 50;
  const auto x = numbers<double>(stride * 40, 3);
  const MatrixKernel dense = kernel<direction>();
  for (const std::uint64_t rows : {0u, 1u, 3u, 4u, 9u, 33u}) {
    for (const std::uint64_t columns : {0u, 1u, 7u, 8u, 19u, 50u}) {
      for (const bool adds : {false, true}) {
        const bool by_columns = direction == Op::mxv;
        const std::uint64_t inputs = by_columns ? rows : columns, outputs = by_columns ? columns : rows;
        const auto t = triples(inputs + 1);
        const auto n = numbers<Long>(inputs + 1, 4);
        const auto y = numbers<float>(outputs + 1, 1);
        std::vector<double> out(outputs + 1, 5), want(outputs + 1, 5);
        for (std::uint64_t j = 0; j < outputs; ++j) {
          if (!adds) want[j] = 0;
          for (std::uint64_t i = 0; i < inputs; ++i)
            want[j] += kOfAll(t[i], n[i], by_columns ? x[i * stride + j] : x[j * stride + i], y[j]);
        }
        DenseTile tile;
        tile.value = x.data();
        tile.stride = stride;
        tile.rows = rows;
        tile.columns = columns;
        tile.adds = adds;
        const void* in[] = {t.data(), n.data(), y.data()};
        void* target = out.data();
        tile.in = in;
        tile.out = &target;
        dense.dense(dense.context.get(), tile);
        EXPECT_EQ(out, want) << rows << " x " << columns;
      }
    }
  }
}

TEST(EndsKernel, OfRectanglesByColumns) { expect_dense<Op::mxv>(); }
TEST(EndsKernel, OfRectanglesByRows) { expect_dense<Op::mxvt>(); }

}  // namespace
}  // namespace kasen::runtime
