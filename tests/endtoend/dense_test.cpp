/// @file
/// Products with dense matrices, on numbers whose sums are exact.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>

#include "kasen/session/engine.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

/// A number everywhere, in no particular order.
template <class T>
Sparse<T> full_matrix(std::uint64_t height, std::uint64_t width, std::uint64_t seed = 1) {
  Sparse<T> matrix{height, width, {}};
  for (std::uint64_t k = 0; k < height * width; ++k) {
    const std::uint64_t at = (k * 7919 + seed) % (height * width);  // 7919 is prime
    matrix.entries.push_back({static_cast<GlobalIndex>(at / width), static_cast<GlobalIndex>(at % width),
                              static_cast<T>(exact_number(at + seed))});
  }
  return matrix;
}

template <class T>
bool is_dense(const Matrix<T>& matrix) {
  return Session::current().engine().placement().stats().matrices.at(index_of(matrix.id())).dense;
}

template <class T>
void expect_products(std::uint64_t height, std::uint64_t width, T infinity_of_t) {
  const auto m = full_matrix<T>(height, width);
  const auto X = m.distribute(separate_space(height, "rows"), separate_space(width, "columns"));
  EXPECT_EQ(is_dense(X), Session::current().options().storage != Storage::compressed);
  const auto as_t = [](double a) { return static_cast<T>(a); };
  const auto h = map(as_t, exact_vector(X.rows(), 3)), w = map(as_t, exact_vector(X.columns(), 4));
  std::vector<T> by_row, by_column;
  for (const double a : exact_numbers(height, 3)) by_row.push_back(as_t(a));
  for (const double a : exact_numbers(width, 4)) by_column.push_back(as_t(a));
  const auto product = [](T a, T b) { return static_cast<T>(a * b); };
  const auto sum = [](T a, T b) { return static_cast<T>(a + b); };
  const auto larger = [](T a, T b) { return a < b ? b : a; };
  const auto sharper = [](T a, T b) { return static_cast<T>(a - 2 * b); };
  EXPECT_EQ(mxv(times, plus, X, h).get(), serial_mxv(m, product, sum, T{}, by_row));
  EXPECT_EQ(mxvt(times, plus, X, w).get(), serial_mxvt(m, product, sum, T{}, by_column));
  EXPECT_EQ(mxv(sharper, max, X, h).get(), serial_mxv(m, sharper, larger, static_cast<T>(-infinity_of_t), by_row));
  EXPECT_EQ(mxvt(sharper, max, X, w).get(), serial_mxvt(m, sharper, larger, static_cast<T>(-infinity_of_t), by_column));
  EXPECT_EQ(mxvt(sharper, plus, X, w).get(), serial_mxvt(m, sharper, sum, T{}, by_column));
}

TEST_P(EndToEnd, DenseProductsOfSeveralTypes) {
  expect_products<double>(41, 7, infinity);
  expect_products<double>(5, 83, infinity);
  expect_products<float>(37, 21, std::numeric_limits<float>::infinity());
  expect_products<double>(3, 2, infinity);  // more workers than rows
  expect_products<double>(1, 1, infinity);
}

TEST_P(EndToEnd, SeveralDenseProductsShareASweep) {
  const auto m = full_matrix<double>(29, 18);
  const auto X = m.distribute();
  std::vector<Vector<double>> there, back;
  for (std::uint64_t k = 0; k < 7; ++k) {
    there.push_back(mxv(times, plus, X, exact_vector(X.rows(), k)));
    back.push_back(mxvt(times, plus, X, exact_vector(X.columns(), k)));
  }
  const auto most = mxv(minus, max, X, exact_vector(X.rows(), 8));
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  const auto difference = [](double a, double b) { return a - b; };
  EXPECT_EQ(most.get(), serial_mxv(m, difference, larger, -infinity, exact_numbers(29, 8)));
  for (std::uint64_t k = 0; k < 7; ++k) {
    EXPECT_EQ(there[k].get(), serial_mxv(m, kMultiply, kAdd, 0.0, exact_numbers(29, k)));
    EXPECT_EQ(back[k].get(), serial_mxvt(m, kMultiply, kAdd, 0.0, exact_numbers(18, k)));
  }
}

/// X'f(Xv), which exact makes in one pass, and X f(X'u).
TEST_P(EndToEnd, DenseThereAndBack) {
  const auto m = full_matrix<double>(70, 9, 2);
  const auto X = m.distribute();
  const auto halve = KASEN_FN((auto a), a * 0.5);
  std::vector<double> forward = serial_mxvt(m, kMultiply, kAdd, 0.0, exact_numbers(9, 1));
  std::vector<double> backward = serial_mxv(m, kMultiply, kAdd, 0.0, exact_numbers(70, 1));
  for (double& a : forward) a *= 0.5;
  for (double& a : backward) a *= 0.5;
  const auto z = map(halve, mxvt(times, plus, X, exact_vector(X.columns(), 1)));
  const auto g = mxv(times, plus, X, z);
  const auto all = reduce(plus, z);
  EXPECT_EQ(g.get(), serial_mxv(m, kMultiply, kAdd, 0.0, forward));
  EXPECT_EQ(all.get(), std::accumulate(forward.begin(), forward.end(), 0.0));
  const auto u = map(halve, mxv(times, plus, X, exact_vector(X.rows(), 1)));
  EXPECT_EQ(mxvt(times, plus, X, u).get(), serial_mxvt(m, kMultiply, kAdd, 0.0, backward));
}

/// One space for rows and columns, and for a graph that brings further replicas: some are rows without entries here.
TEST_P(EndToEnd, DenseAndSparseOverOneSpace) {
  const auto graph = small_graph(5, 3);
  const auto m = full_matrix<double>(graph.height, graph.height, 4);
  for (const bool dense_first : {true, false}) {
    const Space space = separate_space(graph.height, dense_first ? "dense first" : "sparse first");
    std::optional<Matrix<Pattern>> graph_first;
    if (!dense_first) graph_first = graph.distribute(space, space);
    const auto A = m.distribute(space, space);
    const auto G = dense_first ? graph.distribute(space, space) : *graph_first;
    const auto x = exact_vector(space, 5);
    const auto v = exact_numbers(graph.height, 5);
    const auto y = mxvt(times, plus, A, mxv(first, plus, G, x));
    const auto z = mxv(times, plus, A, mxvt(first, plus, G, x));
    EXPECT_EQ(y.get(), serial_mxvt(m, kMultiply, kAdd, 0.0, serial_mxv(graph, kSame, kAdd, 0.0, v)));
    EXPECT_EQ(z.get(), serial_mxv(m, kMultiply, kAdd, 0.0, serial_mxvt(graph, kSame, kAdd, 0.0, v)));
  }
}

using Eight = std::array<double, 8>;

/// Results that are arrays, as those of eight products in one.
TEST_P(EndToEnd, DenseProductsOfArrays) {
  const auto m = full_matrix<double>(45, 6, 3);
  const auto X = m.distribute();
  const auto scale = [](const Eight& c, double x) {
    Eight result;
    for (std::size_t k = 0; k < 8; ++k) result[k] = c[k] * x;
    return result;
  };
  struct Add {
    Eight operator()(const Eight& a, const Eight& b) const {
      Eight result;
      for (std::size_t k = 0; k < 8; ++k) result[k] = a[k] + b[k];
      return result;
    }
  };
  const auto spread = [](double a) {
    Eight result;
    for (std::size_t k = 0; k < 8; ++k) result[k] = a + static_cast<double>(k);
    return result;
  };
  const auto add = with_identity(Add{}, Eight{});
  std::vector<Eight> by_row, by_column;
  for (const double a : exact_numbers(45, 1)) by_row.push_back(spread(a));
  for (const double a : exact_numbers(6, 2)) by_column.push_back(spread(a));
  EXPECT_EQ(mxv(scale, add, X, map(spread, exact_vector(X.rows(), 1))).get(),
            serial_mxv(m, scale, Add{}, Eight{}, by_row));
  EXPECT_EQ(mxvt(scale, add, X, map(spread, exact_vector(X.columns(), 2))).get(),
            serial_mxvt(m, scale, Add{}, Eight{}, by_column));
}

/// One entry less, or one twice: an ordinary matrix.
TEST_P(EndToEnd, AlmostDense) {
  const auto v = exact_numbers(12, 1);
  for (const bool twice : {false, true}) {
    auto m = full_matrix<double>(12, 10);
    m.entries.pop_back();
    if (twice) m.entries.push_back(m.entries.front());
    const auto X = m.distribute();
    EXPECT_FALSE(is_dense(X));
    EXPECT_EQ(mxv(times, plus, X, exact_vector(X.rows(), 1)).get(), serial_mxv(m, kMultiply, kAdd, 0.0, v));
  }
}

}  // namespace
}  // namespace kasen::tests
