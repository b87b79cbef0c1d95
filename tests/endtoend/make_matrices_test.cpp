/// @file
/// One-hot, diagonal and stencil matrices, beside serial loops.
#include <string>

#include "tests/endtoend/end_to_end.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

TEST_P(EndToEnd, OneHotGroupsAndLooksUp) {
  std::vector<std::int32_t> keys;
  for (int k = 0; k < 50; ++k) keys.push_back(k * 7 % 13 - 2);
  const auto amounts = exact_numbers(50, 3), prices = exact_numbers(11, 5);
  const Matrix<Pattern> O = one_hot(distribute(50, keys), 11);
  std::vector<double> sums(11), looked_up(50);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (keys[k] < 0) continue;
    sums[static_cast<std::size_t>(keys[k])] += amounts[k];
    looked_up[k] = prices[static_cast<std::size_t>(keys[k])];
  }
  EXPECT_EQ(mxv(first, plus, O, distribute(50, amounts)).get(), sums);
  EXPECT_EQ(multiply(O, distribute(11, prices)).get(), looked_up);
  const Vector<std::int32_t> large = map(KASEN_FN((auto x), x + 2), distribute(50, keys));
  expect_refused([&] { one_hot(large, 12); }, "is no column: there are 12");
  expect_refused([&] { one_hot(distribute(1, std::vector<std::uint64_t>{~std::uint64_t{0}}), 5); },
                 "of element 0 is no column: there are 5");
}

TEST_P(EndToEnd, OneHotTakesKeysOfAnyWidth) {
  const Vector<char> letters = distribute(3, std::vector<char>{'\2', '\0', '\1'});
  EXPECT_EQ(multiply(one_hot(letters, 3), distribute(3, std::vector<Int>{5, 6, 7})).get(), (std::vector<Int>{7, 5, 6}));
}

TEST_P(EndToEnd, DiagonalScales) {
  const auto factors = exact_numbers(23, 3), numbers = exact_numbers(23, 4);
  std::vector<double> products;
  for (std::size_t k = 0; k < 23; ++k) products.push_back(factors[k] * numbers[k]);
  EXPECT_EQ(multiply(diagonal(distribute(23, factors)), distribute(23, numbers)).get(), products);
}

/// One cell after the other, with loops over all dimensions.
std::vector<double> serial_stencil(const std::vector<std::int64_t>& extents,
                                   const std::vector<Neighbour<double>>& neighbours, Edge edge,
                                   const std::vector<double>& v) {
  const std::int64_t ny = extents[0], nx = extents[1];
  std::vector<double> sums(v.size());
  for (std::int64_t y = 0; y < ny; ++y) {
    for (std::int64_t x = 0; x < nx; ++x) {
      for (const auto& one : neighbours) {
        std::int64_t to_y = y + one.offset[0], to_x = x + one.offset[1];
        if (edge == Edge::periodic) {
          while (to_y < 0) to_y += ny;
          while (to_x < 0) to_x += nx;
          to_y %= ny;
          to_x %= nx;
        } else if (to_y < 0 || to_y >= ny || to_x < 0 || to_x >= nx) {
          continue;
        }
        sums[static_cast<std::size_t>(y * nx + x)] += one.weight * v[static_cast<std::size_t>(to_y * nx + to_x)];
      }
    }
  }
  return sums;
}

TEST_P(EndToEnd, StencilsSumNeighbours) {
  const std::vector<Neighbour<double>> neighbours{{{0, 0}, -4}, {{0, 1}, 1},   {{0, -1}, 2}, {{1, 0}, 4},
                                                  {{-1, 0}, 8}, {{2, -3}, 16}, {{-9, 0}, 32}};
  const auto numbers = exact_numbers(7 * 5, 3);
  for (const Edge edge : {Edge::open, Edge::periodic}) {
    const Space cells = separate_space(35, "cells");
    const Matrix<double> M = stencil<double>(cells, {7, 5}, neighbours, edge);
    EXPECT_EQ(multiply(M, distribute(cells, numbers)).get(), serial_stencil({7, 5}, neighbours, edge, numbers));
  }
  // A mean and a shift by one, of what is pending.
  const Space line = separate_space(20, "line");
  const std::vector<double> by_halves =
      multiply(stencil(line, {20}, {{{-1}, 0.5}, {{1}, 0.5}}), constant(line, 4.0)).get();
  EXPECT_EQ(by_halves, [] {
    std::vector<double> want(20, 4.0);
    want.front() = want.back() = 2.0;
    return want;
  }());
  const Matrix<Int> next = stencil<Int>(line, {20}, {{{1}, 1}});
  std::vector<Int> shifted;
  for (Int k = 0; k < 20; ++k) shifted.push_back(k == 19 ? 0 : 10 * (k + 1));
  EXPECT_EQ(multiply(next, map(KASEN_FN((auto i), 10 * i), iota(line))).get(), shifted);
}

TEST_P(EndToEnd, StencilsRefuseOtherGrids) {
  expect_refused([] { stencil<double>(35, {7, 4}, {{{0, 0}, 1}}); }, "7 x 4 cells is none of 35");
  expect_refused([] { stencil<double>(35, {}, {}); }, "a grid has one dimension at least");
  expect_refused([] { stencil<double>(0, {7}, {{{0}, 1}}); }, "7 cells is none of 0");
  expect_refused([] { stencil<double>(35, {7, 5}, {{{0}, 1}}); }, "an offset of 1 numbers in a grid of 2");
}

}  // namespace
}  // namespace kasen::tests
