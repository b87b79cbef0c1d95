/// @file
/// Kernels over rectangles of dense matrices against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kasen/functors.h"
#include "kasen/runtime/kernels.h"
#include "tests/support/before_the_end.h"

namespace kasen::runtime {
namespace {

/// Rows of `stride` elements, of which the first `columns` are used.
template <class T>
struct Matrix {
  std::uint64_t rows, columns, stride;
  std::vector<T> x;

  Matrix(std::uint64_t rows_, std::uint64_t columns_)
      : rows(rows_), columns(columns_), stride(columns_ + 3), x(rows_ * stride) {
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<T>(static_cast<int>(k * 7919 % 23) - 11);
  }
  const T& at(std::uint64_t i, std::uint64_t j) const { return x[i * stride + j]; }
};

using Walk = void (*)(const void* context, const DenseTile&);

/// The whole matrix for all vectors at once, in rectangles of so many rows and columns, added to what `out` holds if
/// that is asked for.
template <class T, class In, class Out>
void walk(Op direction, Walk walk, const void* context, const Matrix<T>& m, const std::vector<std::vector<In>>& in,
          std::vector<std::vector<Out>>& out, std::uint64_t rows, std::uint64_t columns, bool adds) {
  const bool mxv = direction == Op::mxv;
  for (std::uint64_t row = 0; row < m.rows; row += rows) {
    for (std::uint64_t column = 0; column < m.columns; column += columns) {
      std::vector<const void*> sources;
      std::vector<void*> targets;
      for (const auto& v : in) sources.push_back(v.data() + (mxv ? row : column));
      for (auto& v : out) targets.push_back(v.data() + (mxv ? column : row));
      DenseTile tile;
      tile.value = &m.at(row, column);
      tile.stride = m.stride;
      tile.rows = std::min(rows, m.rows - row);
      tile.columns = std::min(columns, m.columns - column);
      tile.vectors = static_cast<std::uint32_t>(in.size());
      tile.in = sources.data();
      tile.out = targets.data();
      tile.adds = adds || (mxv ? row : column) > 0;
      walk(context, tile);
    }
  }
}

template <class T, class In, class Out, class Fz, class Add>
std::vector<Out> expected(Op direction, const Matrix<T>& m, const std::vector<In>& in, std::vector<Out> out, Fz f_z,
                          Add op) {
  for (std::uint64_t i = 0; i < m.rows; ++i) {
    for (std::uint64_t j = 0; j < m.columns; ++j) {
      Out& to = direction == Op::mxv ? out[j] : out[i];
      to = op(to, f_z(in[direction == Op::mxv ? i : j], m.at(i, j)));
    }
  }
  return out;
}

/// All sizes around what is done at once.
template <class T, class In, class Out, class Fz, class Add, class Vector>
void expect_products(Walk mxv, Walk mxvt, Fz f_z, Add op, Out identity, const Vector& vector) {
  using Context = detail::MatrixContext<Out, Fz, Add>;
  const Context context{f_z, op, identity};
  for (const auto& [rows, columns] :
       {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {2, 19}, {4, 8}, {7, 3}, {37, 70}, {6, 91}, {9, 300}}) {
    const Matrix<T> m(rows, columns);
    for (const Op direction : {Op::mxv, Op::mxvt}) {
      const bool by_columns = direction == Op::mxv;
      std::vector<std::vector<In>> in;
      for (std::uint64_t k = 0; k < 4; ++k) in.push_back(vector(by_columns ? rows : columns, k));
      const std::vector<Out> empty(by_columns ? columns : rows, identity);
      for (const bool adds : {false, true}) {
        for (const auto& [high, wide] : {std::pair<std::uint64_t, std::uint64_t>{rows, columns}, {4, 16}, {5, 9}}) {
          // What is not added to may hold anything.
          std::vector<std::vector<Out>> out(4, adds ? empty : std::vector<Out>(empty.size(), Out{}));
          walk(direction, by_columns ? mxv : mxvt, &context, m, in, out, high, wide, adds);
          for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_EQ(out[k], expected(direction, m, in[k], empty, f_z, op)) << rows << " x " << columns;
            std::vector<std::vector<Out>> alone(1, empty);
            walk(direction, by_columns ? mxv : mxvt, &context, m, std::vector<std::vector<In>>{in[k]}, alone, high,
                 wide, adds);
            EXPECT_EQ(alone[0], out[k]);
          }
        }
      }
    }
  }
}

template <class T>
std::vector<T> whole_numbers(std::uint64_t n, std::uint64_t seed) {
  std::vector<T> result;
  for (std::uint64_t k = 0; k < n; ++k) result.push_back(static_cast<T>(static_cast<int>((k + seed) * 31 % 17) - 8));
  return result;
}

struct Times {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a * b;
  }
};
struct Plus {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return a + b;
  }
};

TEST(DenseKernel, EqualsPlainLoops) {
  expect_products<double, double, double>(dense_kernel<Op::mxv, double, double, double, Times, Plus>(),
                                          dense_kernel<Op::mxvt, double, double, double, Times, Plus>(), Times{},
                                          Plus{}, 0.0, whole_numbers<double>);
  expect_products<float, float, float>(dense_kernel<Op::mxv, float, float, float, Times, Plus>(),
                                       dense_kernel<Op::mxvt, float, float, float, Times, Plus>(), Times{}, Plus{},
                                       0.0f, whole_numbers<float>);
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  const auto less = [](double a, double b) { return a - 3 * b; };
  using Less = decltype(less);
  using Larger = decltype(larger);
  expect_products<double, double, double>(dense_kernel<Op::mxv, double, double, double, Less, Larger>(),
                                          dense_kernel<Op::mxvt, double, double, double, Less, Larger>(), less, larger,
                                          -std::numeric_limits<double>::infinity(), whole_numbers<double>);
  const auto count = [](float a, std::int8_t b) { return static_cast<std::int32_t>(a) * b; };
  using Count = decltype(count);
  expect_products<std::int8_t, float, std::int32_t>(
      dense_kernel<Op::mxv, std::int32_t, float, std::int8_t, Count, Plus>(),
      dense_kernel<Op::mxvt, std::int32_t, float, std::int8_t, Count, Plus>(), count, Plus{}, 0, whole_numbers<float>);
}

/// By kernels of their own: all widths, as parts of longer rows, and more rows than are walked together.
TEST(DenseKernel, SumsOfProductsOverShortRows) {
  const auto mxv = dense_kernel<Op::mxv, double, double, double, kasen::Times, kasen::Plus>();
  const auto mxvt = dense_kernel<Op::mxvt, double, double, double, kasen::Times, kasen::Plus>();
  const detail::MatrixContext<double, kasen::Times, kasen::Plus> context{{}, {}, 0.0};
  for (std::uint64_t columns = 1; columns <= 40; ++columns) {
    for (const std::uint64_t rows : {1, 3, 4, 11}) {
      const Matrix<double> m(rows, columns);
      for (const bool adds : {false, true}) {
        const std::vector<std::vector<double>> right{whole_numbers<double>(columns, 5)};
        std::vector<std::vector<double>> out(1, std::vector<double>(rows, adds ? 2.0 : std::nan("")));
        walk(Op::mxvt, mxvt, &context, m, right, out, 8, 32, adds);
        EXPECT_EQ(out[0], expected(Op::mxvt, m, right[0], std::vector<double>(rows, adds ? 2.0 : 0.0), kasen::times,
                                   kasen::plus))
            << rows << " x " << columns;
        const std::vector<std::vector<double>> left{whole_numbers<double>(rows, 3)};
        out.assign(1, std::vector<double>(columns, adds ? 2.0 : std::nan("")));
        walk(Op::mxv, mxv, &context, m, left, out, 8, 32, adds);
        EXPECT_EQ(out[0], expected(Op::mxv, m, left[0], std::vector<double>(columns, adds ? 2.0 : 0.0), kasen::times,
                                   kasen::plus))
            << rows << " x " << columns;
      }
    }
  }
}

/// What is infinite in one row shows in that row alone, once.
TEST(DenseKernel, InfinitiesInShortRows) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const detail::MatrixContext<double, kasen::Times, kasen::Plus> context{{}, {}, 0.0};
  for (std::uint64_t columns = 1; columns <= 12; ++columns) {
    for (std::uint64_t k = 0; k < 6 * columns; ++k) {
      const std::uint64_t row = k / columns;
      Matrix<double> m(6, columns);
      m.x[row * m.stride + k % columns] = kInfinity;
      const std::vector<std::vector<double>> in{std::vector<double>(columns, 1.0)};
      std::vector<std::vector<double>> out(1, std::vector<double>(6));
      walk(Op::mxvt, dense_kernel<Op::mxvt, double, double, double, kasen::Times, kasen::Plus>(), &context, m, in, out,
           6, columns, false);
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_TRUE(i == row ? out[0][i] == kInfinity : std::isfinite(out[0][i])) << columns << ", " << k;
    }
  }
}

/// Each row has the bits that it has alone, wherever it stands.
TEST(DenseKernel, BitsOfAShortRowAreItsOwn) {
  const detail::MatrixContext<double, kasen::Times, kasen::Plus> context{{}, {}, 0.0};
  const auto kernel = dense_kernel<Op::mxvt, double, double, double, kasen::Times, kasen::Plus>();
  for (const std::uint64_t columns : {2, 5, 10, 16, 31}) {
    Matrix<double> m(9, columns);
    for (std::size_t k = 0; k < m.x.size(); ++k) m.x[k] = 1.0 / static_cast<double>(k + 3);
    std::vector<std::vector<double>> in(1, std::vector<double>(columns));
    for (std::size_t j = 0; j < columns; ++j) in[0][j] = 1.0 / static_cast<double>(7 * j + 1);
    std::vector<std::vector<double>> together(1, std::vector<double>(9)), alone = together;
    walk(Op::mxvt, kernel, &context, m, in, together, 9, columns, false);
    walk(Op::mxvt, kernel, &context, m, in, alone, 1, columns, false);
    EXPECT_EQ(together, alone) << columns;
  }
}

TEST(DenseKernel, OfStructs) {
  using Five = std::array<double, 5>;
  const auto scale = [](const Five& c, double x) {
    Five result;
    for (std::size_t k = 0; k < 5; ++k) result[k] = c[k] * x;
    return result;
  };
  const auto add = [](const Five& a, const Five& b) {
    Five result;
    for (std::size_t k = 0; k < 5; ++k) result[k] = a[k] + b[k];
    return result;
  };
  const auto vector = [](std::uint64_t n, std::uint64_t seed) {
    std::vector<Five> result(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < 5; ++k) result[i][k] = static_cast<double>((i + seed) * (k + 1) % 7);
    }
    return result;
  };
  using Scale = decltype(scale);
  using Add = decltype(add);
  expect_products<double, Five, Five>(dense_kernel<Op::mxv, Five, Five, double, Scale, Add>(),
                                      dense_kernel<Op::mxvt, Five, Five, double, Scale, Add>(), scale, add, Five{},
                                      vector);
}

/// Sums of a product with a matrix of so many columns, of which members are `width` multiples.
template <class T, std::size_t width>
void expect_nothing_read_beyond(std::uint64_t rows, std::uint64_t columns) {
  using Members = std::array<T, width>;
  const auto distance = [](const Members& c, T x) {
    Members result;
    for (std::size_t k = 0; k < width; ++k) result[k] = (c[k] - x) * (c[k] - x);
    return result;
  };
  const auto add = [](const Members& a, const Members& b) {
    Members result;
    for (std::size_t k = 0; k < width; ++k) result[k] = a[k] + b[k];
    return result;
  };
  using Distance = decltype(distance);
  using Add = decltype(add);
  const detail::MatrixContext<Members, Distance, Add> context{distance, add, {}};
  const tests::BeforeTheEnd<T> x(rows * columns);
  std::fill_n(x.data(), rows * columns, T{2});
  for (const bool mxv : {false, true}) {
    const std::vector<Members> in(mxv ? rows : columns, Members{});
    std::vector<Members> out(mxv ? columns : rows);
    const void* source = in.data();
    void* target = out.data();
    DenseTile tile;
    tile.value = x.data();
    tile.stride = tile.columns = columns;
    tile.rows = rows;
    tile.vectors = 1;
    tile.in = &source;
    tile.out = &target;
    const auto kernel = mxv ? dense_kernel<Op::mxv, Members, Members, T, Distance, Add>()
                            : dense_kernel<Op::mxvt, Members, Members, T, Distance, Add>();
    kernel(&context, tile);
    for (const Members& sums : out) EXPECT_EQ(sums[width - 1], static_cast<T>(4 * in.size()));
  }
}

TEST(DenseKernel, OfStructsReadsNothingBeyondTheMatrix) {
  for (const std::uint64_t rows : {7u, 16u, 33u}) {
    for (const std::uint64_t columns : {1u, 4u, 12u, 16u, 20u, 100u}) {
      expect_nothing_read_beyond<double, 8>(rows, columns);
      expect_nothing_read_beyond<double, 4>(rows, columns);
      expect_nothing_read_beyond<float, 16>(rows, columns);
      expect_nothing_read_beyond<float, 8>(rows, columns);
    }
  }
}

/// Outputs without inputs.
TEST(DenseKernel, OfNothingIsTheIdentity) {
  const detail::MatrixContext<double, Times, Plus> context{{}, {}, 5.0};
  double out[3] = {1, 2, 3};
  void* target = out;
  const void* source = nullptr;
  DenseTile tile;
  tile.in = &source;
  tile.out = &target;
  tile.columns = 3;
  dense_kernel<Op::mxv, double, double, double, Times, Plus>()(&context, tile);
  for (const double a : out) EXPECT_EQ(a, 5);
  tile.columns = 0;
  tile.rows = 2;
  out[0] = out[1] = out[2] = 1;
  dense_kernel<Op::mxvt, double, double, double, Times, Plus>()(&context, tile);
  EXPECT_EQ(out[0], 5);
  EXPECT_EQ(out[1], 5);
  EXPECT_EQ(out[2], 1);
}

}  // namespace
}  // namespace kasen::runtime
