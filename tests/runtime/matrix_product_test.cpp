/// @file
/// Products of dense matrices against plain loops.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/runtime/matrix_product.h"
#include "tests/support/before_the_end.h"

namespace kasen::runtime {
namespace {

/// Small whole numbers, whose sums are exact in any order.
template <class T>
T number(std::size_t k) {
  return static_cast<T>(static_cast<int>(k * 7919 % 23) - 11);
}

template <class T>
struct Case {
  std::uint64_t rows, columns, width, stride;
  tests::BeforeTheEnd<T> x{rows * stride}, w{columns * width}, y{rows * width};

  Case(std::uint64_t rows_, std::uint64_t columns_, std::uint64_t width_, std::uint64_t gap)
      : rows(rows_), columns(columns_), width(width_), stride(columns_ + gap) {
    for (std::size_t k = 0; k < rows * stride; ++k) x[k] = number<T>(k);
    for (std::size_t k = 0; k < columns * width; ++k) w[k] = number<T>(k + 5);
    for (std::size_t k = 0; k < rows * width; ++k) y[k] = number<T>(k + 11);
  }
  MatrixView<T> X() { return {x.data(), rows, columns, stride}; }
  T product(std::size_t i, std::size_t k) {
    T sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += x[i * stride + j] * w[j * width + k];
    return sum;
  }
  T cross(std::size_t j, std::size_t k) {
    T sum = 0;
    for (std::size_t i = 0; i < rows; ++i) sum += x[i * stride + j] * y[i * width + k];
    return sum;
  }
};

/// Widths to either side of those that have kernels of their own, rows to either side of groups of them, columns to
/// either side of long rows.
template <class T, class Check>
void for_cases(const Check& check) {
  for (const std::uint64_t width : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 40}) {
    for (const std::uint64_t rows : {0, 1, 3, 8, 13, 40}) {
      for (const std::uint64_t columns : {0, 1, 2, 3, 5, 13, 16, 70}) {
        for (const std::uint64_t gap : {0, 3}) {
          Case<T> made(rows, columns, width, gap);
          SCOPED_TRACE(testing::Message() << rows << " x " << columns << " + " << gap << ", width " << width);
          check(made);
          if (testing::Test::HasFailure()) return;
        }
      }
    }
  }
}

template <class T>
class MatrixProduct : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(MatrixProduct, Numbers);

TYPED_TEST(MatrixProduct, OfRows) {
  using T = TypeParam;
  for_cases<T>([](Case<T>& c) {
    tests::BeforeTheEnd<T> out(c.rows * c.width), by_rows(c.rows * c.width), sums(c.rows * c.width);
    for (std::size_t k = 0; k < c.rows * c.width; ++k) {
      out[k] = by_rows[k] = T{77};
      sums[k] = number<T>(k + 3);
    }
    multiply_rows(c.X(), c.w.data(), c.width, out.data(), false);
    multiply_rows(c.X(), c.w.data(), c.width, sums.data(), true);
    multiply_row_by_row(c.X(), c.w.data(), c.width, by_rows.data());
    for (std::size_t k = 0; k < c.rows * c.width; ++k) {
      const T product = c.product(k / c.width, k % c.width);
      ASSERT_EQ(out[k], product) << k;
      ASSERT_EQ(by_rows[k], product) << k;
      ASSERT_EQ(sums[k], number<T>(k + 3) + product) << k;
    }
  });
}

TYPED_TEST(MatrixProduct, InPlace) {
  using T = TypeParam;
  for (std::uint64_t width = 1; width <= 18; ++width) {
    for (const bool row_by_row : {false, true}) {
      Case<T> c(21, width, width, 0);
      std::vector<T> products(21 * width);
      for (std::size_t k = 0; k < products.size(); ++k) products[k] = c.product(k / width, k % width);
      if (row_by_row) {
        multiply_row_by_row(c.X(), c.w.data(), width, c.x.data());
      } else {
        multiply_rows(c.X(), c.w.data(), width, c.x.data(), false);
      }
      for (std::size_t k = 0; k < products.size(); ++k) ASSERT_EQ(c.x[k], products[k]) << k << ", width " << width;
    }
  }
}

TYPED_TEST(MatrixProduct, Cross) {
  using T = TypeParam;
  for_cases<T>([](Case<T>& c) {
    tests::BeforeTheEnd<T> sums(c.columns * c.width);
    for (std::size_t k = 0; k < c.columns * c.width; ++k) sums[k] = number<T>(k + 3);
    add_cross(c.X(), c.y.data(), c.width, sums.data());
    for (std::size_t k = 0; k < c.columns * c.width; ++k)
      ASSERT_EQ(sums[k], number<T>(k + 3) + c.cross(k / c.width, k % c.width)) << k;
  });
}

/// Numbers whose sums depend on the order.
TYPED_TEST(MatrixProduct, BitsOfARowAreItsOwn) {
  using T = TypeParam;
  for (std::uint64_t width = 1; width <= 18; ++width) {
    for (const std::uint64_t columns : {5, 90}) {
      Case<T> c(27, columns, width, 0);
      for (std::size_t k = 0; k < 27 * columns; ++k) c.x[k] = T{1} / static_cast<T>(1 + k * 31 % 97);
      for (std::size_t k = 0; k < columns * width; ++k) c.w[k] = T{1} / static_cast<T>(1 + k * 17 % 89);
      std::vector<T> together(27 * width), alone(27 * width);
      multiply_row_by_row(c.X(), c.w.data(), width, together.data());
      for (std::size_t i = 0; i < 27; ++i)
        multiply_row_by_row({c.x.data() + i * columns, 1, columns, columns}, c.w.data(), width, &alone[i * width]);
      ASSERT_EQ(together, alone) << "width " << width;
    }
  }
}

}  // namespace
}  // namespace kasen::runtime
