/// @file
/// Kernels of MxVs whose results are rows against plain loops: of widths that are compiled apart and of others, pulled,
/// pushed and dense. Numbers are whole: results are equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "kasen/runtime/kernels.h"
#include "tests/runtime/every_way.h"

namespace kasen::runtime {
namespace {

using Numbers = std::vector<double>;
using Point = std::span<const double>;
constexpr std::uint32_t kWalked = 45, kOthers = 60;
constexpr std::uint64_t kWidths[] = {1, 2, 4, 8, 10, 16, 17, 20, 65};

/// Compressed along the side that is walked; some of its elements have no entries, some as many as there can be.
struct Entries {
  std::vector<std::uint64_t> pointer{0};
  std::vector<std::uint32_t> index;
  Numbers value;

  Entries() {
    for (std::uint32_t j = 0; j < kWalked; ++j) {
      const std::uint32_t most = j % 7 == 3 ? 0 : j % 11 == 0 ? kOthers : j % 5;
      for (std::uint32_t i = 0; i < most; ++i) {
        index.push_back((i * 37 + j) % kOthers);
        value.push_back(static_cast<double>((i + 3 * j) % 9) - 4);
      }
      pointer.push_back(index.size());
    }
  }
};

Numbers numbers(std::size_t n, std::size_t seed) {
  Numbers result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = static_cast<double>((i * 7 + seed) % 13) - 5;
  return result;
}
Point row(const Numbers& all, std::size_t i, std::uint64_t width) { return Point(all).subspan(i * width, width); }

constexpr auto kAdd = [](double a, double b) { return a + b; };
constexpr auto kMost = [](double a, double b) { return std::max(a, b); };
/// Of the input's row, the entry, and a number of the output.
constexpr auto kWrite = [](Point in, double m, double at, std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = in[k] * m - at + in[out.size() - 1 - k];
};

/// One way to make rows: its kernels in a direction, and what a non-zero adds.
struct Way {
  std::function<MatrixKernel(Op direction, std::uint64_t width)> kernel;
  std::function<double(double, double)> op;
  double identity;
  std::function<void(Point in, double m, double at, std::span<double> out)> write;
};

template <Op direction>
MatrixKernel written(std::uint64_t width) {
  return ends_to_rows_kernel<direction, double, double>(std::tuple{RowsOperand<double>{width}},
                                                        std::tuple{VectorOperand<double>{}}, width, kWrite, kMost,
                                                        -std::numeric_limits<double>::infinity());
}
template <Op direction>
MatrixKernel numbered(std::uint64_t width) {
  const auto apart = [](double x, double m) { return x - m; };
  return rows_by_number_kernel<direction, double, double, double>(width, apart, kAdd, 0.0);
}

std::vector<Way> ways() {
  const auto by = [](auto mxv, auto mxvt) {
    return [=](Op direction, std::uint64_t width) { return direction == Op::mxv ? mxv(width) : mxvt(width); };
  };
  const auto each = [](auto f) {
    return [f](Point in, double m, double, std::span<double> out) {
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = f(in[k], m);
    };
  };
  const auto multiples = [](std::uint64_t width) { return rows_sum_kernel<Op::mxv, double, double>(width, true); };
  const auto multiples_t = [](std::uint64_t width) { return rows_sum_kernel<Op::mxvt, double, double>(width, true); };
  const auto plain = [](std::uint64_t width) { return rows_sum_kernel<Op::mxv, double, double>(width, false); };
  const auto plain_t = [](std::uint64_t width) { return rows_sum_kernel<Op::mxvt, double, double>(width, false); };
  return {{by(&written<Op::mxv>, &written<Op::mxvt>), kMost, -std::numeric_limits<double>::infinity(), kWrite},
          {by(&numbered<Op::mxv>, &numbered<Op::mxvt>), kAdd, 0, each([](double x, double m) { return x - m; })},
          {by(multiples, multiples_t), kAdd, 0, each([](double x, double m) { return x * m; })},
          {by(plain, plain_t), kAdd, 0, each([](double x, double) { return x; })}};
}

/// to = op(to, what the way writes), number by number.
void add(const Way& way, Numbers& results, std::size_t to, Point in, double m, double at) {
  Numbers made(in.size());
  way.write(in, m, at, made);
  for (std::size_t k = 0; k < made.size(); ++k)
    results[to * made.size() + k] = way.op(results[to * made.size() + k], made[k]);
}

TEST(RowMatrixKernel, PullsAndPushesTilesOfAnySize) {
  const Entries m;
  for (const Way& way : ways()) {
    for (const std::uint64_t width : kWidths) {
      const MatrixKernel kernel = way.kernel(Op::mxv, width);
      const Numbers of_others = numbers(kOthers * width, 4), of_walked = numbers(kWalked * width, 2);
      const Numbers y = numbers(kOthers, 6);
      Numbers pulled(kWalked * width, way.identity), pushed(kOthers * width, 5);
      for (std::uint32_t j = 0; j < kWalked; ++j) {
        for (std::uint64_t e = m.pointer[j]; e < m.pointer[j + 1]; ++e) {
          add(way, pulled, j, row(of_others, m.index[e], width), m.value[e], y[j]);
          add(way, pushed, m.index[e], row(of_walked, j, width), m.value[e], y[m.index[e]]);
        }
      }
      for (const std::uint32_t size : {1u, 16u, kWalked}) {
        for (const Prefetched prefetched : kEveryWay) {
          Numbers out(kWalked * width, 99), sums(kOthers * width, 5);
          for (std::uint32_t first = 0; first < kWalked; first += size) {
            MatrixTile tile;
            tile.matrix = {m.pointer.data(), m.index.data(), m.value.data()};
            tile.first = first;
            tile.n = std::min(size, kWalked - first);
            set_prefetched(prefetched, m.index.size(), tile);
            const void* in[] = {of_others.data(), y.data() + first};
            void* target = out.data() + first * width;
            tile.in = in;
            tile.out = &target;
            kernel.pull[0](kernel.context.get(), tile);
            in[0] = of_walked.data() + first * width;
            in[1] = y.data();
            target = sums.data();
            kernel.push(kernel.context.get(), tile);
          }
          EXPECT_EQ(out, pulled) << width;
          EXPECT_EQ(sums, pushed) << width;
        }
      }
    }
  }
}

/// Rectangles within a larger matrix.
void expect_dense(Op direction) {
  constexpr std::uint64_t stride = 21;
  const bool by_columns = direction == Op::mxv;
  const Numbers x = numbers(stride * 12, 3);
  for (const Way& way : ways()) {
    for (const std::uint64_t width : kWidths) {
      const MatrixKernel kernel = way.kernel(direction, width);
      for (const std::uint64_t rows : {0u, 1u, 9u}) {
        for (const std::uint64_t columns : {0u, 1u, 8u, 19u}) {
          for (const bool adds : {false, true}) {
            const std::uint64_t inputs = by_columns ? rows : columns, outputs = by_columns ? columns : rows;
            const Numbers in = numbers((inputs + 1) * width, 4), y = numbers(outputs + 1, 1);
            Numbers out((outputs + 1) * width, 5), want = out;
            if (!adds) std::fill_n(want.begin(), outputs * width, way.identity);
            for (std::uint64_t j = 0; j < outputs; ++j) {
              for (std::uint64_t i = 0; i < inputs; ++i)
                add(way, want, j, row(in, i, width), by_columns ? x[i * stride + j] : x[j * stride + i], y[j]);
            }
            DenseTile tile;
            tile.value = x.data();
            tile.stride = stride;
            tile.rows = rows;
            tile.columns = columns;
            tile.adds = adds;
            const void* vectors[] = {in.data(), y.data()};
            void* target = out.data();
            tile.in = vectors;
            tile.out = &target;
            kernel.dense(kernel.context.get(), tile);
            EXPECT_EQ(out, want) << rows << " x " << columns << " of width " << width;
          }
        }
      }
    }
  }
}
TEST(RowMatrixKernel, OfRectanglesByColumns) { expect_dense(Op::mxv); }
TEST(RowMatrixKernel, OfRectanglesByRows) { expect_dense(Op::mxvt); }

}  // namespace
}  // namespace kasen::runtime
