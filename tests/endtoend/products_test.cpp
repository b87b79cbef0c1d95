/// @file
/// mxv and mxvt by themselves and many together, on numbers whose sums are exact: results are equal, not close.
#include <algorithm>
#include <limits>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

TEST_P(EndToEnd, PatternProducts) {
  const auto graph = small_graph(6, 4);
  const auto G = graph.distribute();
  const auto v = exact_numbers(graph.height, 3);
  const auto x = exact_vector(G.rows(), 3);
  const auto flags = map([](double a) { return a > 4; }, x);
  std::vector<bool> f;
  for (const double a : v) f.push_back(a > 4);
  const auto id = [](double a) { return a; };
  EXPECT_EQ(mxv(first, plus, G, x).get(), serial_mxv(
                                              graph, id, [](double a, double b) { return a + b; }, 0.0, v));
  EXPECT_EQ(mxvt(first, plus, G, x).get(), serial_mxvt(
                                               graph, id, [](double a, double b) { return a + b; }, 0.0, v));
  EXPECT_EQ(mxv(first, min, G, x).get(), serial_mxv(
                                             graph, id, [](double a, double b) { return b < a ? b : a; }, infinity, v));
  EXPECT_EQ(mxvt(first, max, G, x).get(),
            serial_mxvt(
                graph, id, [](double a, double b) { return a < b ? b : a; }, -infinity, v));
  EXPECT_EQ(mxvt(count, plus, G, x).get(),
            serial_mxvt(
                graph, [](double) { return 1; }, [](int a, int b) { return a + b; }, std::int32_t{0}, v));
  const auto reached = mxv(first, logical_or, G, flags).get();
  const auto want = serial_mxv(
      graph, [](bool a) { return int{a}; }, [](int a, int b) { return a | b; }, 0, f);
  for (std::size_t i = 0; i < want.size(); ++i) ASSERT_EQ(int{reached[i]}, want[i]);
  const auto square = [](double a) { return a * a; };
  EXPECT_EQ(mxv(square, plus, G, x).get(), serial_mxv(
                                               graph, square, [](double a, double b) { return a + b; }, 0.0, v));
}

TEST_P(EndToEnd, ValuedProductsOfRectangularMatrices) {
  for (const auto& m :
       {small_matrix(41, 17, 200), small_matrix(9, 60, 90, 4), small_matrix(3, 2, 5), small_matrix(5, 4, 0)}) {
    const auto M = m.distribute();
    const auto v = exact_numbers(m.height, 3), w = exact_numbers(m.width, 4);
    const auto x = exact_vector(M.rows(), 3), y = exact_vector(M.columns(), 4);
    const auto product = [](double a, double b) { return a * b; };
    const auto sum = [](double a, double b) { return a + b; };
    EXPECT_EQ(mxv(times, plus, M, x).get(), serial_mxv(m, product, sum, 0.0, v));
    EXPECT_EQ(mxvt(times, plus, M, y).get(), serial_mxvt(m, product, sum, 0.0, w));
    EXPECT_EQ(mxvt(plus, min, M, y).get(), serial_mxvt(
                                               m, sum, [](double a, double b) { return std::min(a, b); }, infinity, w));
    const auto chain = mxv(times, plus, M, mxvt(times, plus, M, y));
    EXPECT_EQ(chain.get(), serial_mxv(m, product, sum, 0.0, serial_mxvt(m, product, sum, 0.0, w)));
  }
}

struct Moments {
  double sum, square;
  std::int32_t count;
};
constexpr auto kAddMoments = [](const Moments& a, const Moments& b) {
  return Moments{a.sum + b.sum, a.square + b.square, a.count + b.count};
};

TEST_P(EndToEnd, ProductsWithStructsAndOwnIdentity) {
  const auto m = small_matrix(30, 30, 150);
  const auto M = m.distribute();
  const auto v = exact_numbers(30, 6);
  const auto make = [](double a, double b) { return Moments{a * b, a * a, 1}; };
  const auto got = mxv(make, with_identity(kAddMoments, Moments{0, 0, 0}), M, exact_vector(M.rows(), 6)).get();
  const auto want = serial_mxv(m, make, kAddMoments, Moments{0, 0, 0}, v);
  for (std::size_t j = 0; j < want.size(); ++j) {
    ASSERT_EQ(got[j].sum, want[j].sum);
    ASSERT_EQ(got[j].square, want[j].square);
    ASSERT_EQ(got[j].count, want[j].count);
  }
}

struct Road {
  double length;
  float slope;
  std::int32_t lanes;
};

TEST_P(EndToEnd, MatricesWithStructValues) {
  Sparse<Road> m{20, 25, {}};
  for (const auto& e : small_matrix(20, 25, 80).entries) {
    m.entries.push_back({e.row, e.column, {e.value, -2.0f, 3}});
  }
  const auto M = m.distribute();
  const auto f = [](double a, const Road& p) { return a * p.length + p.slope * static_cast<double>(p.lanes); };
  EXPECT_EQ(mxvt(f, plus, M, exact_vector(M.columns(), 2)).get(),
            serial_mxvt(
                m, f, [](double a, double b) { return a + b; }, 0.0, exact_numbers(25, 2)));
}

/// Two and four products of one family, six of them, a mixture, and both directions, over one matrix.
TEST_P(EndToEnd, ManyProductsOfOneMatrix) {
  const auto graph = small_graph(6, 4, 5);
  const auto G = graph.distribute();
  const auto sum = [](double a, double b) { return a + b; };
  const auto id = [](double a) { return a; };
  for (const std::uint64_t vectors : {2u, 4u, 6u}) {
    std::vector<Vector<double>> x, y;
    for (std::uint64_t k = 0; k < vectors; ++k) {
      x.push_back(exact_vector(G.rows(), k));
      y.push_back(mxv(first, plus, G, x.back()));
    }
    const auto z = mxvt(first, plus, G, x[0]);
    const auto low = mxv(first, min, G, x[1]);
    auto all = zip_with(plus, y[0], y[1]);
    for (std::uint64_t k = 2; k < vectors; ++k) all = zip_with(plus, all, y[k]);
    all = zip_with(plus, all, z);
    std::vector<double> want = serial_mxvt(graph, id, sum, 0.0, exact_numbers(graph.height, 0));
    for (std::uint64_t k = 0; k < vectors; ++k) {
      const auto part = serial_mxv(graph, id, sum, 0.0, exact_numbers(graph.height, k));
      for (std::size_t i = 0; i < want.size(); ++i) want[i] += part[i];
    }
    EXPECT_EQ(all.get(), want);
    EXPECT_EQ(low.get(), serial_mxv(
                             graph, id, [](double a, double b) { return std::min(a, b); }, infinity,
                             exact_numbers(graph.height, 1)));
  }
}

/// A second and third matrix over the same spaces: further roles, whose replicas are packed.
TEST_P(EndToEnd, SeveralMatricesOfOneSpace) {
  const auto a = small_graph(5, 3, 1), b = small_graph(5, 2, 2);
  const auto c = small_matrix(32, 11, 70);
  const auto A = a.distribute(), B = b.distribute();
  const auto C = c.distribute();
  const auto sum = [](double p, double q) { return p + q; };
  const auto id = [](double p) { return p; };
  const auto x = exact_vector(A.rows(), 8);
  const auto y = zip_with(plus, mxv(first, plus, A, x), mxvt(first, plus, B, x));
  const auto z = mxv(times, plus, C, zip_with(plus, y, x));
  const auto v = exact_numbers(32, 8);
  auto w = serial_mxv(a, id, sum, 0.0, v);
  const auto more = serial_mxvt(b, id, sum, 0.0, v);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += more[i];
  EXPECT_EQ(y.get(), w);
  for (std::size_t i = 0; i < w.size(); ++i) w[i] += v[i];
  EXPECT_EQ(z.get(), serial_mxv(
                         c, [](double p, double q) { return p * q; }, sum, 0.0, w));
}

/// A vector computed before a matrix over its space is read gets replicas later.
TEST_P(EndToEnd, MatrixReadAfterItsVector) {
  const auto graph = small_graph(5, 4);
  const Space space(graph.height);
  if (session().options().partition != Partition::block) {
    const auto G = graph.distribute(space, space);  // the owners of vectors alone are blocks, so the matrix comes first
  }
  const auto x = exact_vector(space, 1);
  const auto v = exact_numbers(graph.height, 1);
  EXPECT_EQ(x.get(), v);
  auto y = x;
  EXPECT_EQ(y.get(), v);
  y = map(times, y, 2.0);  // pending: only it still reads the old one
  const auto H = graph.distribute(space, space);
  auto want = serial_mxv(
      graph, [](double a) { return a; }, [](double a, double b) { return a + b; }, 0.0, v);
  EXPECT_EQ(mxv(first, plus, H, x).get(), want);
  for (double& a : want) a *= 2;
  EXPECT_EQ(mxv(first, plus, H, y).get(), want);
  EXPECT_EQ(x.get(), v);
}

}  // namespace
}  // namespace kasen::tests
