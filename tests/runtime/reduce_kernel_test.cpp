/// @file
/// Reduction kernels and sums of element kernels: values, what is seen as nothing, and bits that do not depend on how
/// tiles are cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/kernels.h"

namespace kasen::runtime {
namespace {

template <class T>
std::optional<T> reduce(const ReduceKernel& kernel, const T* data, std::size_t n, std::size_t tile_elements) {
  std::vector<CacheLine> lanes(lines_of(kernel.lanes_bytes));
  kernel.begin(kernel.context.get(), lanes.data());
  for (std::size_t first = 0; first < n; first += tile_elements) {
    Tile tile;
    const void* in = data + first;
    tile.in = &in;
    tile.n = static_cast<std::uint32_t>(std::min(tile_elements, n - first));
    kernel.fold(kernel.context.get(), lanes.data(), tile);
  }
  T out;
  if (!kernel.finish(kernel.context.get(), lanes.data(), &out)) return std::nullopt;
  return out;
}

TEST(ReduceKernel, CountsExactly) {
  const ReduceKernel sum = reduce_kernel<std::int64_t>([](std::int64_t a, std::int64_t b) { return a + b; });
  for (std::size_t n : {1u, 5u, 31u, 32u, 33u, 64u, 100u, 1000u}) {
    std::vector<std::int64_t> values(n);
    std::iota(values.begin(), values.end(), -3);
    for (std::size_t tile : {1u, 3u, 32u, 50u, 4096u}) {
      EXPECT_EQ(reduce(sum, values.data(), n, tile), std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    }
  }
}

TEST(ReduceKernel, BitsDoNotDependOnTheTile) {
  const ReduceKernel sum = reduce_kernel<double>([](double a, double b) { return a + b; }, 0.0);
  std::vector<double> values(1237);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(3 * i + 1);
  const double expected = *reduce(sum, values.data(), values.size(), values.size());
  EXPECT_NEAR(expected, std::accumulate(values.begin(), values.end(), 0.0), 1e-12);
  for (std::size_t tile = 1; tile < 140; ++tile) {
    const double got = *reduce(sum, values.data(), values.size(), tile);
    EXPECT_EQ(std::memcmp(&got, &expected, sizeof got), 0) << "tiles of " << tile;
  }
}

TEST(ReduceKernel, NothingHasAValueOnlyWithIdentity) {
  const auto smaller = [](double a, double b) { return b < a ? b : a; };
  EXPECT_EQ(reduce<double>(reduce_kernel<double>(smaller), nullptr, 0, 1), std::nullopt);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(reduce<double>(reduce_kernel<double>(smaller, infinity), nullptr, 0, 1), infinity);
  const std::vector<double> values = {4, 7, 2, 9};
  EXPECT_EQ(reduce(reduce_kernel<double>(smaller), values.data(), 4, 3), 2);
}

struct Best {
  double value;
  std::int64_t at;
};

TEST(ReduceKernel, WorksOnStructs) {
  const ReduceKernel best = reduce_kernel<Best>([](const Best& a, const Best& b) {
    if (a.value != b.value) return a.value > b.value ? a : b;
    return a.at < b.at ? a : b;
  });
  std::vector<Best> values(101);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = {static_cast<double>((i * 37) % 50), static_cast<std::int64_t>(i)};
  }
  const auto expected = *std::max_element(values.begin(), values.end(), [](const Best& a, const Best& b) {
    return a.value < b.value || (a.value == b.value && a.at > b.at);
  });
  EXPECT_EQ(reduce(best, values.data(), values.size(), 17)->at, expected.at);
}

struct Sums {
  double sum, count;
};

TEST(ReduceKernel, BitsOfStructsDoNotDependOnTheTile) {
  const ReduceKernel add = reduce_kernel<Sums>([](const Sums& a, const Sums& b) {
    return Sums{a.sum + b.sum, a.count + b.count};
  });
  for (const std::size_t n : {1u, 31u, 32u, 33u, 1237u}) {
    std::vector<Sums> values(n);
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = {1.0 / static_cast<double>(3 * i + 1), 1};
      sum += values[i].sum;
    }
    const Sums expected = *reduce(add, values.data(), n, n);
    EXPECT_NEAR(expected.sum, sum, 1e-12);
    EXPECT_EQ(expected.count, static_cast<double>(n));
    for (const std::size_t tile : {1u, 5u, 31u, 32u, 33u, 100u}) {
      const Sums got = *reduce(add, values.data(), n, tile);
      EXPECT_EQ(std::memcmp(&got, &expected, sizeof got), 0) << n << " in tiles of " << tile;
    }
  }
}

struct Padded {
  double value;
  std::int32_t at;
};

/// A copy's padding is what was in memory before; `garbage` fills it.
Padded with_padding(unsigned char garbage) {
  Padded made;
  std::memset(&made, garbage, sizeof(made));
  made.value = 2.5;
  made.at = 7;
  return made;
}

TEST(Reducer, IdentityIsTheSameBytesWhateverThePadding) {
  const auto first = [](const Padded& a, const Padded&) { return a; };
  const auto zeros = reducer<Padded>(first, std::optional(with_padding(0)));
  const auto ones = reducer<Padded>(first, std::optional(with_padding(0xff)));
  EXPECT_EQ(zeros.identity, ones.identity);
}

/// The sum of what `kernel` makes of `data`, added up as it is made.
template <class Out, class T>
Out sum_of(const ElementKernel& kernel, const std::vector<T>& data, std::size_t tile_elements) {
  std::vector<CacheLine> lanes(lines_of(kernel.sum.lanes_bytes));
  kernel.sum.begin(kernel.context.get(), lanes.data());
  for (std::size_t first = 0; first < data.size(); first += tile_elements) {
    Tile tile;
    const void* in = data.data() + first;
    tile.in = &in;
    tile.n = static_cast<std::uint32_t>(std::min(tile_elements, data.size() - first));
    kernel.sum.fold(kernel.context.get(), lanes.data(), tile);
  }
  Out out;
  EXPECT_TRUE(kernel.sum.finish(kernel.context.get(), lanes.data(), &out));
  return out;
}

/// Members of 8 and of 4 bytes, and padding.
struct Tally {
  std::int64_t sum = 0;
  std::int32_t odd = 0;
  Tally operator+(const Tally& other) const { return {sum + other.sum, odd + other.odd}; }
  bool operator==(const Tally&) const = default;
};

TEST(SumOfElements, IsThatOfTheElements) {
  const auto square = [](std::int64_t a) { return a * a; };
  const auto tally = [](std::int64_t a) { return a % 2 != 0 ? Tally{a, 1} : Tally{0, 0}; };
  const ElementKernel squares = element_kernel<std::int64_t>(square, VectorOperand<std::int64_t>());
  const ElementKernel tallies = element_kernel<Tally>(tally, VectorOperand<std::int64_t>());
  for (std::size_t n : {0u, 1u, 5u, 31u, 32u, 33u, 64u, 100u, 1000u}) {
    std::vector<std::int64_t> values(n);
    std::iota(values.begin(), values.end(), -3);
    std::int64_t squared = 0;
    Tally tallied;
    for (const std::int64_t a : values) {
      squared += square(a);
      tallied = tallied + tally(a);
    }
    for (std::size_t tile : {1u, 3u, 32u, 50u, 4096u}) {
      EXPECT_EQ(sum_of<std::int64_t>(squares, values, tile), squared) << n << " in tiles of " << tile;
      EXPECT_EQ(sum_of<Tally>(tallies, values, tile), tallied) << n << " in tiles of " << tile;
    }
  }
}

TEST(SumOfElements, BitsDoNotDependOnTheTile) {
  const ElementKernel halves = element_kernel<double>([](double a) { return a / 2; }, VectorOperand<double>());
  std::vector<double> values(1237);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0 / static_cast<double>(3 * i + 1);
  const double expected = sum_of<double>(halves, values, values.size());
  EXPECT_NEAR(expected, std::accumulate(values.begin(), values.end(), 0.0) / 2, 1e-12);
  for (std::size_t tile = 1; tile < 140; ++tile) {
    const double got = sum_of<double>(halves, values, tile);
    EXPECT_EQ(std::memcmp(&got, &expected, sizeof got), 0) << "tiles of " << tile;
  }
}

TEST(SumOfElements, IsOfNumbersAndSmallStructsOfNumbers) {
  const VectorOperand<double> number;
  const VectorOperand<Tally> tally;
  const auto has = [](const ElementKernel& kernel) { return kernel.sum.fold != nullptr; };
  EXPECT_TRUE(has(element_kernel<float>([](double a) { return static_cast<float>(a); }, number)));
  EXPECT_TRUE(has(element_kernel<Tally>([](double a) { return Tally{1, a > 0}; }, number)));
  EXPECT_FALSE(has(element_kernel<bool>([](double a) { return a > 0; }, number)));
  EXPECT_FALSE(has(element_kernel<std::int64_t>([](const Tally& a) { return a.sum; }, tally)));
  const Tally* captured = nullptr;
  EXPECT_FALSE(has(element_kernel<Tally>([captured](double a) { return a > 0 ? *captured : Tally{}; }, number)));
}

}  // namespace
}  // namespace kasen::runtime
