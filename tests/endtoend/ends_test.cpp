/// @file
/// Products and reductions of both ends of non-zeros: of all storages and kinds of elements, beside what else reads and
/// makes their vectors. Numbers are exact: results are equal.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kasen/row.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

constexpr auto kSpread = [](double x, double m, double y) { return x * m - 3 * y; };
constexpr auto kLarger = [](double a, double b) { return std::max(a, b); };

/// result[to] = op over the non-zeros of f(e), which is given an entry.
template <class Out, class E, class F, class Op>
std::vector<Out> serial(const Sparse<E>& m, bool by_columns, Out identity, Op op, F f) {
  std::vector<Out> result(by_columns ? m.width : m.height, identity);
  for (const Entry<E>& e : m.entries) {
    Out& at = result[static_cast<std::size_t>(by_columns ? e.column : e.row)];
    at = op(at, f(e));
  }
  return result;
}
template <class E>
double at_row(const std::vector<double>& v, const Entry<E>& e) {
  return v[static_cast<std::size_t>(e.row)];
}
template <class E>
double at_column(const std::vector<double>& v, const Entry<E>& e) {
  return v[static_cast<std::size_t>(e.column)];
}

void expect_products(const Sparse<double>& m) {
  const auto M = m.distribute();
  const auto v = exact_numbers(m.height, 3), w = exact_numbers(m.width, 4);
  const auto x = exact_vector(M.rows(), 3), y = exact_vector(M.columns(), 4);
  const auto there = [&](const Entry<double>& e) { return kSpread(at_row(v, e), e.value, at_column(w, e)); };
  const auto back = [&](const Entry<double>& e) { return kSpread(at_column(w, e), e.value, at_row(v, e)); };
  EXPECT_EQ(mxv(kSpread, plus, M, x, y).get(), serial(m, true, 0.0, kAdd, there));
  EXPECT_EQ(mxvt(kSpread, plus, M, y, x).get(), serial(m, false, 0.0, kAdd, back));
  EXPECT_EQ(mxv(kSpread, max, M, x, y).get(), serial(m, true, -infinity, kLarger, there));
  const auto sum = reduce_entries(kSpread, plus, M, x, y);
  const auto most = reduce_entries(kSpread, max, M, x, y);
  const auto squares = reduce_entries([](double a) { return a * a; }, plus, M);
  double want = 0, want_most = -infinity, want_squares = 0;
  for (const auto& e : m.entries) {
    want += there(e);
    want_most = std::max(want_most, there(e));
    want_squares += e.value * e.value;
  }
  EXPECT_EQ(sum.get(), want);
  EXPECT_EQ(most.get(), want_most);
  EXPECT_EQ(squares.get(), want_squares);
}

TEST_P(EndToEnd, EndsOfSparseMatrices) {
  for (const auto& m : {small_matrix(41, 17, 200), small_matrix(9, 60, 400, 4), small_matrix(3, 2, 5),
                        small_matrix(5, 4, 0), small_matrix(2, 30, 300)})
    expect_products(m);
}

TEST_P(EndToEnd, EndsOfDenseMatrices) {
  for (const auto& [height, width] : {std::pair<std::uint64_t, std::uint64_t>{41, 7}, {5, 83}, {600, 21}, {1, 1}}) {
    Sparse<double> m{height, width, {}};
    for (std::uint64_t k = 0; k < height * width; ++k)
      m.entries.push_back({static_cast<GlobalIndex>(k / width), static_cast<GlobalIndex>(k % width), exact_number(k)});
    expect_products(m);
  }
}

/// The vector of one end is that of the other, made by what the sweep before has, or goes on to another product.
TEST_P(EndToEnd, EndsAmongOtherWork) {
  const auto graph = small_graph(6, 4, 2);
  const auto G = graph.distribute();
  const auto v = exact_numbers(graph.height, 3);
  const auto x = exact_vector(G.rows(), 3);
  const auto apart = [](double a, double b) { return std::abs(a - b); };
  const auto same = mxv(apart, plus, G, x, x);
  const auto want_same =
      serial(graph, true, 0.0, kAdd, [&](const auto& e) { return apart(at_row(v, e), at_column(v, e)); });
  EXPECT_EQ(same.get(), want_same);

  const auto doubled = map(times, x, 2.0);
  const auto in = mxv(first, plus, G, doubled);
  const auto both = mxv(apart, max, G, doubled, in);
  const auto back = mxvt(apart, plus, G, map(plus, both, 1.0), doubled);
  const auto plain = mxv(first, plus, G, back);
  std::vector<double> d;
  for (const double a : v) d.push_back(2 * a);
  const auto w_in = serial(graph, true, 0.0, kAdd, [&](const auto& e) { return at_row(d, e); });
  const auto w_both =
      serial(graph, true, -infinity, kLarger, [&](const auto& e) { return apart(at_row(d, e), at_column(w_in, e)); });
  const auto w_back = serial(graph, false, 0.0, kAdd,
                             [&](const auto& e) { return apart(at_column(added(w_both, 1), e), at_row(d, e)); });
  EXPECT_EQ(both.get(), w_both);
  EXPECT_EQ(plain.get(), serial(graph, true, 0.0, kAdd, [&](const auto& e) { return at_row(w_back, e); }));
}

/// Indices of rows and columns, beside other vectors of an end.
TEST_P(EndToEnd, EndsWithIndices) {
  const auto m = small_matrix(23, 31, 160, 7);
  const auto M = m.distribute();
  const auto v = exact_numbers(m.height, 3), w = exact_numbers(m.width, 4);
  const auto x = exact_vector(M.rows(), 3), y = exact_vector(M.columns(), 4);
  const auto lower = [](GlobalIndex i, double a, GlobalIndex j) { return j <= i ? a : 0.0; };
  const auto band = mxvt(lower, plus, M, iota(M.columns()), iota(M.rows()));
  EXPECT_EQ(band.get(), serial(m, false, 0.0, kAdd, [&](const auto& e) { return lower(e.column, e.value, e.row); }));

  const auto all = [](double p, GlobalIndex i, double a, double q, GlobalIndex j) {
    return p * a + static_cast<double>(2 * i - j) * q;
  };
  const auto rows = iota(M.rows());
  const auto columns = iota(M.columns());
  const auto want = [&](const auto& e) { return all(at_row(v, e), e.row, e.value, at_column(w, e), e.column); };
  EXPECT_EQ(mxv(all, plus, M, std::tie(x, rows), std::tie(y, columns)).get(), serial(m, true, 0.0, kAdd, want));
  double sum = 0;
  for (const auto& e : m.entries) sum += want(e);
  EXPECT_EQ(reduce_entries(all, plus, M, std::tie(x, rows), std::tie(y, columns)).get(), sum);
  const auto trace =
      reduce_entries(KASEN_FN((auto i, auto a, auto j), kasen::select(i == j, a, 0.0)), plus, M, rows, columns);
  double diagonal = 0;
  for (const auto& e : m.entries) diagonal += e.row == e.column ? e.value : 0;
  EXPECT_EQ(trace.get(), diagonal);
}

/// Structs at both ends and of both ends: squared errors of a factorisation, and its gradients in a loop.
TEST_P(EndToEnd, EndsOfFactors) {
  using Factor = std::array<double, 10>;
  const auto m = small_matrix(19, 26, 130, 3);
  const auto M = m.distribute();
  const auto factor = [](std::uint64_t seed) {
    return [seed](GlobalIndex i) {
      Factor f{};
      for (std::size_t k = 0; k < f.size(); ++k) f[k] = exact_number(static_cast<std::uint64_t>(i) * 10 + k + seed);
      return f;
    };
  };
  const Vector<Factor> U = map(factor(1), iota(M.rows())), V = map(factor(9), iota(M.columns()));
  const auto miss = [](const Factor& u, double a, const Factor& v) {
    double sum = a;
    for (std::size_t k = 0; k < u.size(); ++k) sum -= u[k] * v[k];
    return sum * sum;
  };
  double want = 0;
  for (const auto& e : m.entries) want += miss(factor(1)(e.row), e.value, factor(9)(e.column));
  EXPECT_EQ(reduce_entries(miss, plus, M, U, V).get(), want);

  using R = Row<double, 3>;
  const auto ahead = [](const R& u, double a, const R& v) { return (a - dot(u, v)) * v; };
  const auto step = [](const R& u, const R& by) { return u + by * 0.0078125; };
  const auto start = [](GlobalIndex i) {
    const auto j = static_cast<std::uint64_t>(i);
    return R{exact_number(j), exact_number(j + 5), 1.0};
  };
  Vector<R> u = map(start, iota(M.rows()));
  const Vector<R> v = map(start, iota(M.columns()));
  Shared<Int> k = 0;
  while_(likely([&] { return k < 2; }), [&] {
    u = zip_with(step, u, mxvt([ahead](const R& q, double a, const R& p) { return ahead(p, a, q); }, plus, M, v, u));
    ++k;
  });
  std::vector<R> p(m.height);
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = start(static_cast<GlobalIndex>(i));
  for (int round = 0; round < 2; ++round) {
    std::vector<R> by(m.height);
    for (const auto& e : m.entries) {
      const auto i = static_cast<std::size_t>(e.row);
      by[i] = by[i] + ahead(p[i], e.value, start(e.column));
    }
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = step(p[i], by[i]);
  }
  const auto got = u.get();
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(got[i][c], p[i][c], 1e-9 * (1 + std::abs(p[i][c])));
  }
}

}  // namespace
}  // namespace kasen::tests
