/// @file
/// Entries that functions make, under everything that reads a matrix, beside serial loops over the same entries stored.
/// Numbers are exact: results are equal.
#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "kasen/entries.h"
#include "kasen/rows.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;
using Point = std::span<const double>;

constexpr auto kLarger = [](double a, double b) { return std::max(a, b); };

/// The matrix with entries f(entry), stored.
template <class E, class F>
Sparse<double> stored(const Sparse<E>& m, F f) {
  Sparse<double> made{m.height, m.width, {}};
  for (const Entry<E>& e : m.entries) made.entries.push_back({e.row, e.column, f(e)});
  return made;
}

double at(const Numbers& v, GlobalIndex i) { return v[static_cast<std::size_t>(i)]; }

/// The products of `made`, which is what `want` stores.
template <class Made>
void expect_products(const Made& made, const Sparse<double>& want) {
  const Numbers v = exact_numbers(want.height, 5), w = exact_numbers(want.width, 6);
  const auto x = exact_vector(made.rows(), 5), y = exact_vector(made.columns(), 6);
  EXPECT_EQ(multiply(made, y).get(), serial_mxvt(want, kMultiply, kAdd, 0.0, w));
  EXPECT_EQ(multiply_transposed(made, x).get(), serial_mxv(want, kMultiply, kAdd, 0.0, v));
  double squares = 0;
  for (const auto& e : want.entries) squares += e.value * e.value;
  EXPECT_EQ(reduce_entries([](double m) { return m * m; }, plus, made).get(), squares);
}

/// Everything that reads a matrix. It takes long to compile, so once for each way in which entries are made.
template <class Made>
void expect_as_stored(const Made& made, const Sparse<double>& want) {
  expect_products(made, want);
  const Numbers v = exact_numbers(want.height, 5), w = exact_numbers(want.width, 6);
  const auto x = exact_vector(made.rows(), 5), y = exact_vector(made.columns(), 6);
  EXPECT_EQ(mxv(plus, kasen::max, made, x).get(), serial_mxv(want, kAdd, kLarger, -infinity, v));
  EXPECT_EQ(mxvt([](double, double m) { return m; }, kasen::max, made, y).get(),
            serial_mxvt(
                want, [](double, double m) { return m; }, kLarger, -infinity, w));

  const auto spread = [](double a, double m, double b) { return a * m - 3 * b; };
  const auto there = mxv(spread, plus, made, x, y);
  const auto back = mxvt(spread, plus, made, y, x);
  const auto both = [](double a, double m, double b, std::span<double> out) { out[0] = a + m, out[1] = b; };
  const Rows<double> pairs = mxv(both, plus, made, x, y, kasen::width(2));
  Numbers want_there(want.width), want_back(want.height), want_pairs(2 * want.width);
  double sum = 0, most = -infinity;
  for (const auto& e : want.entries) {
    const double a = at(v, e.row), b = at(w, e.column);
    want_there[static_cast<std::size_t>(e.column)] += spread(a, e.value, b);
    want_back[static_cast<std::size_t>(e.row)] += spread(b, e.value, a);
    want_pairs[2 * static_cast<std::size_t>(e.column)] += a + e.value;
    want_pairs[2 * static_cast<std::size_t>(e.column) + 1] += b;
    sum += spread(a, e.value, b);
    most = std::max(most, a + e.value);
  }
  EXPECT_EQ(there.get(), want_there);
  EXPECT_EQ(back.get(), want_back);
  EXPECT_EQ(pairs.get(), want_pairs);
  EXPECT_EQ(reduce_entries(spread, plus, made, x, y).get(), sum);
  EXPECT_EQ(reduce_entries(plus, kasen::max, made, x, std::tuple{}).get(), most);

  // Rows, number by number.
  const auto twice = [](double a, std::span<double> out) { out[0] = a, out[1] = out[2] = 2 * a; };
  Numbers rows;
  for (const double total : serial_mxvt(want, kMultiply, kAdd, 0.0, w))
    rows.insert(rows.end(), {total, 2 * total, 2 * total});
  EXPECT_EQ(multiply(made, map(twice, y, kasen::width(3))).get(), rows);
}

void expect_entries(const Sparse<double>& m) {
  const auto M = m.distribute();
  const Numbers v = exact_numbers(m.height, 3), w = exact_numbers(m.width, 4);
  const auto x = exact_vector(M.rows(), 3), y = exact_vector(M.columns(), 4);
  const auto nothing = std::tuple{};
  const auto square = KASEN_FN((auto a), a * a);
  const auto squares = stored(m, [](const auto& e) { return e.value * e.value; });
  expect_as_stored(entries(square, M), squares);
  expect_products(scale_rows(x, M), stored(m, [&](const auto& e) { return at(v, e.row) * e.value; }));
  expect_products(scale_columns(M, y), stored(m, [&](const auto& e) { return e.value * at(w, e.column); }));
  const auto spread = [](double a, double e, double b) { return a - e + 2 * b; };
  const auto of_both = entries(spread, M, x, y);
  expect_as_stored(of_both, stored(m, [&](const auto& e) { return spread(at(v, e.row), e.value, at(w, e.column)); }));
  const auto rows = iota(M.rows()), columns = iota(M.columns());
  const auto upper = entries([](GlobalIndex i, double e, GlobalIndex j) { return i <= j ? e : 0.0; }, M, rows, columns);
  expect_products(upper, stored(m, [](const auto& e) { return e.row <= e.column ? e.value : 0.0; }));

  // Of made entries: with an end each, and with several vectors at one.
  expect_products(scale_columns(scale_rows(x, M), y),
                  stored(m, [&](const auto& e) { return at(v, e.row) * e.value * at(w, e.column); }));
  expect_products(entries(square, entries(square, M)),
                  stored(squares, [](const auto& e) { return e.value * e.value; }));
  const auto late = [](double a, double b, double e) { return a + b - e; };
  expect_as_stored(entries(late, scale_rows(x, M), std::tie(x, x), nothing),
                   stored(m, [&](const auto& e) { return at(v, e.row) + at(v, e.row) - at(v, e.row) * e.value; }));
}

TEST_P(EndToEnd, MadeEntriesOfSparseMatrices) {
  for (const auto& m : {small_matrix(41, 17, 200), small_matrix(9, 60, 400, 4), small_matrix(5, 4, 0)})
    expect_entries(m);
}

TEST_P(EndToEnd, MadeEntriesOfDenseMatrices) {
  for (const auto& [height, width] : {std::pair<std::uint64_t, std::uint64_t>{41, 7}, {5, 83}, {1, 1}}) {
    Sparse<double> m{height, width, {}};
    for (std::uint64_t k = 0; k < height * width; ++k)
      m.entries.push_back({static_cast<GlobalIndex>(k / width), static_cast<GlobalIndex>(k % width), exact_number(k)});
    expect_entries(m);
  }
}

/// Of a graph, whose edges have no entries: of what is at their ends, of other types, and of nothing.
TEST_P(EndToEnd, MadeEntriesOfGraphs) {
  const auto graph = small_graph(6, 4, 2);
  const auto G = graph.distribute();
  const Numbers v = exact_numbers(graph.height, 3), w = exact_numbers(graph.width, 4);
  const auto x = exact_vector(G.rows(), 3), y = exact_vector(G.columns(), 4);
  expect_as_stored(entries(minus, G, x, y),
                   stored(graph, [&](const auto& e) { return at(v, e.row) - at(w, e.column); }));
  expect_products(scale_rows(x, G), stored(graph, [&](const auto& e) { return at(v, e.row); }));
  expect_as_stored(scale_columns(G, y), stored(graph, [&](const auto& e) { return at(w, e.column); }));
  expect_as_stored(entries([] { return 3.0; }, G), stored(graph, [](const auto&) { return 3.0; }));

  const auto less = entries([](double a, double b) { return a < b; }, G, x, y);  // bools
  const auto kept = [](double a, bool is) { return is ? a : 0.0; };
  const auto in_order = stored(graph, [&](const auto& e) { return at(v, e.row) < at(w, e.column) ? 1.0 : 0.0; });
  EXPECT_EQ(mxv(kept, plus, less, x).get(), serial_mxv(in_order, kMultiply, kAdd, 0.0, v));
}

/// The weights of attention, each edge's share of its source's: read twice, made of rows, never stored.
TEST_P(EndToEnd, MadeEntriesOfRows) {
  const auto graph = small_graph(5, 3, 3);
  const auto G = graph.distribute();
  const auto fill = [](GlobalIndex i, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = static_cast<double>((i * 3 + static_cast<GlobalIndex>(k)) % 5);
  };
  const Rows<double> X = map(fill, iota(G.rows()), kasen::width(4));
  const auto inner = [](Point a, Point b) { return kasen::dot(a, b) + 1; };
  const auto scores = entries(inner, G, X, X);
  const auto divided = [](Point a, double by, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = by == 0 ? 0 : std::floor(a[k] / by);
  };
  const Vector<double> totals = multiply(scores, constant(G.columns(), 1.0));
  const Rows<double> mixed = zip_with(divided, multiply(scores, X), totals, kasen::width(4));

  const Numbers numbers = X.get();
  const auto row = [&](GlobalIndex i) { return Point(&numbers[static_cast<std::size_t>(i) * 4], 4); };
  Numbers want(graph.height * 4), sums(graph.height);
  for (const auto& e : graph.entries) {
    double score = 1;
    for (std::size_t k = 0; k < 4; ++k) score += row(e.row)[k] * row(e.column)[k];
    for (std::size_t k = 0; k < 4; ++k) want[static_cast<std::size_t>(e.row) * 4 + k] += score * row(e.column)[k];
    sums[static_cast<std::size_t>(e.row)] += score;
  }
  for (std::size_t k = 0; k < want.size(); ++k) want[k] = sums[k / 4] == 0 ? 0 : std::floor(want[k] / sums[k / 4]);
  EXPECT_EQ(mixed.get(), want);
}

/// Entries hold the values that their vectors had, in loops as well; those of a loop's vector are made in it.
TEST_P(EndToEnd, MadeEntriesInLoops) {
  const auto m = small_matrix(30, 30, 140, 3);
  const auto M = m.distribute();
  Numbers v = exact_numbers(30, 3);
  const Numbers before = v;
  auto x = exact_vector(M.rows(), 3);
  const auto scaled = scale_rows(x, M);
  x = map(KASEN_FN((auto a), a + 1), x);
  Shared<Int> k = 0;
  const auto halved = KASEN_FN((auto a), kasen::floor(a / 64));
  while_(likely([&] { return k < 3; }), [&] {
    x = map(halved, multiply_transposed(scale_columns(scaled, x), x));
    ++k;
  });
  for (double& a : v) a += 1;
  for (int round = 0; round < 3; ++round) {
    const auto now = stored(m, [&](const auto& e) { return at(before, e.row) * e.value * at(v, e.column); });
    v = serial_mxv(now, kMultiply, kAdd, 0.0, v);
    for (double& a : v) a = std::floor(a / 64);
  }
  EXPECT_EQ(x.get(), v);
}

TEST_P(EndToEnd, MadeEntriesThatDoNotFit) {
  const auto M = small_matrix(12, 10, 30).distribute();
  const auto x = exact_vector(M.rows(), 1), y = exact_vector(M.columns(), 1);
  EXPECT_THROW(multiply(scale_rows(y, M), y), ProgramError);
  EXPECT_THROW(multiply(scale_rows(x, M), x), ProgramError);
  EXPECT_THROW(reduce_entries(KASEN_FN((auto a), a), plus, scale_columns(M, x)), ProgramError);
  EXPECT_THROW(multiply(scale_rows(Vector<double>(), M), y), ProgramError);
}

}  // namespace
}  // namespace kasen::tests
