/// @file
/// Products of Rows, and functions of both ends of non-zeros that read or write rows: of all storages, beside serial
/// loops. Numbers are exact: results are equal.
#include <algorithm>
#include <cmath>
#include <span>

#include "kasen/base/error.h"
#include "kasen/rows.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;
using Point = std::span<const double>;

double number_at(std::uint64_t i, std::uint64_t c, std::uint64_t seed) {
  return static_cast<double>((i * 7 + c * 13 + i * c + seed) % 11) - 5;
}

/// Rows as Kasen has them and as a loop has.
struct Both {
  Rows<double> rows;
  Numbers numbers;
  std::uint64_t width;
  Point operator[](GlobalIndex i) const { return Point(&numbers[static_cast<std::size_t>(i) * width], width); }
};

Both some_rows(Space space, std::uint64_t length, std::uint64_t width, std::uint64_t seed) {
  const auto fill = [seed](GlobalIndex i, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = number_at(static_cast<std::uint64_t>(i), c, seed);
  };
  Both both{map(fill, iota(space), kasen::width(width)), {}, width};
  for (std::uint64_t at = 0; at < length * width; ++at) both.numbers.push_back(number_at(at / width, at % width, seed));
  return both;
}

double inner(Point x, Point y) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
  return sum;
}

/// What a step of alternating least squares sums: of the input's row, the entry, and the output's row.
constexpr auto kAlong = [](Point u, double m, Point v, std::span<double> out) {
  double along = m;
  for (std::size_t k = 0; k < v.size(); ++k) along += u[k] * v[k];
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = along * u[k % u.size()];
};

/// result[to] = op over the non-zeros, number by number, of what write(e, out) makes.
template <class Op, class Write>
Numbers serial_rows(const Sparse<double>& m, bool by_columns, std::uint64_t width, double identity, Op op,
                    const Write& write) {
  Numbers result((by_columns ? m.width : m.height) * width, identity), made(width);
  for (const Entry<double>& e : m.entries) {
    write(e, std::span<double>(made));
    const std::size_t at = static_cast<std::size_t>(by_columns ? e.column : e.row) * width;
    for (std::size_t k = 0; k < width; ++k) result[at + k] = op(result[at + k], made[k]);
  }
  return result;
}

void expect_products(const Sparse<double>& m, std::uint64_t width) {
  const auto M = m.distribute();
  const Both U = some_rows(M.rows(), m.height, width, 1), V = some_rows(M.columns(), m.width, width, 4);
  const auto each = [&](const Both& rows, bool by_columns, auto f) {
    return [&rows, by_columns, f](const Entry<double>& e, std::span<double> out) {
      const Point from = rows[by_columns ? e.row : e.column];
      for (std::size_t k = 0; k < out.size(); ++k) out[k] = f(from[k], e.value);
    };
  };
  const auto multiplied = [](double x, double a) { return x * a; };
  const auto smaller = [](double x, double y) { return std::min(x, y); };
  EXPECT_EQ(multiply(M, V.rows).get(), serial_rows(m, false, width, 0, kAdd, each(V, false, multiplied)));
  EXPECT_EQ(multiply_transposed(M, U.rows).get(), serial_rows(m, true, width, 0, kAdd, each(U, true, multiplied)));
  EXPECT_EQ(mxv(first, plus, M, U.rows).get(),
            serial_rows(m, true, width, 0, kAdd, each(U, true, [](double x, double) { return x; })));
  EXPECT_EQ(mxvt(plus, kasen::min, M, V.rows).get(),
            serial_rows(m, false, width, infinity, smaller, each(V, false, [](double x, double a) { return x + a; })));
  const Rows<std::int64_t> whole = mxv(KASEN_FN((auto x, auto a), kasen::cast<std::int64_t>(x * a)), plus, M, U.rows);
  const auto cut = [](double x, double a) { return std::trunc(x * a); };
  const Numbers want = serial_rows(m, true, width, 0, kAdd, each(U, true, cut));
  EXPECT_EQ(whole.get(), std::vector<std::int64_t>(want.begin(), want.end()));

  Sparse<float> narrow{m.height, m.width, {}};
  for (const auto& e : m.entries) narrow.entries.push_back({e.row, e.column, static_cast<float>(e.value)});
  const auto to_float = [](Point x, std::span<float> out) { std::copy(x.begin(), x.end(), out.begin()); };
  const auto F = narrow.distribute();
  const Both W = some_rows(F.columns(), m.width, width, 4);
  const Rows<float> floats = multiply(F, map(to_float, W.rows, kasen::width<float>(width)));
  const Numbers exact = serial_rows(m, false, width, 0, kAdd, each(V, false, multiplied));
  EXPECT_EQ(floats.get(), std::vector<float>(exact.begin(), exact.end()));

  // Of both ends: rows of another width, a number, and one number of all non-zeros.
  const Rows<double> along = mxv(kAlong, plus, M, U.rows, V.rows, kasen::width(width + 2));
  EXPECT_EQ(along.get(), serial_rows(m, true, width + 2, 0, kAdd, [&](const Entry<double>& e, std::span<double> out) {
              kAlong(U[e.row], e.value, V[e.column], out);
            }));
  const Rows<double> back = mxvt(kAlong, kasen::max, M, V.rows, U.rows, kasen::width(1));
  EXPECT_EQ(back.get(),
            serial_rows(
                m, false, 1, -infinity, [](double x, double y) { return std::max(x, y); },
                [&](const Entry<double>& e, std::span<double> out) { kAlong(V[e.column], e.value, U[e.row], out); }));
  const auto miss = [](Point u, double a, Point v) { return a - inner(u, v); };
  const auto of_end = [&](const Entry<double>& e, std::span<double> out) {
    out[0] = miss(U[e.row], e.value, V[e.column]);
  };
  const Vector<double> misses = mxv(miss, plus, M, U.rows, V.rows);
  EXPECT_EQ(misses.get(), serial_rows(m, true, 1, 0, kAdd, of_end));
  const Shared<double> error = reduce_entries(miss, plus, M, U.rows, V.rows);
  double sum = 0, made = 0;
  for (const auto& e : m.entries) {
    of_end(e, std::span<double>(&made, 1));
    sum += made;
  }
  EXPECT_EQ(error.get(), sum);
}

TEST_P(EndToEnd, RowsOfSparseMatrices) {
  for (const auto& m : {small_matrix(41, 17, 200), small_matrix(9, 60, 400, 4), small_matrix(5, 4, 0)})
    expect_products(m, 3);
  expect_products(small_matrix(23, 20, 150, 2), 19);  // wider than what is summed in registers
  expect_products(small_matrix(13, 20, 90, 2), 70);   // than what a kernel keeps at hand
}

TEST_P(EndToEnd, RowsOfDenseMatrices) {
  for (const auto& [height, width] : {std::pair<std::uint64_t, std::uint64_t>{41, 7}, {5, 83}, {300, 11}}) {
    Sparse<double> m{height, width, {}};
    for (std::uint64_t k = 0; k < height * width; ++k)
      m.entries.push_back({static_cast<GlobalIndex>(k / width), static_cast<GlobalIndex>(k % width), exact_number(k)});
    expect_products(m, 4);
  }
}

/// Rows that go from one product into the next, over a Pattern, in the sweeps of other work, beside vectors of an end.
TEST_P(EndToEnd, RowsAmongOtherWork) {
  const auto graph = small_graph(6, 4, 2);
  const auto G = graph.distribute();
  constexpr std::uint64_t width = 3;
  const Both X = some_rows(G.rows(), graph.height, width, 2);
  const auto v = exact_vector(G.rows(), 3);
  const Numbers x = exact_numbers(graph.height, 3);
  const auto scaled = [](Point a, double by, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = a[k] * by;
  };
  const auto apart = [](Point a, double by, Point b, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = (a[k] - b[k]) * by;
  };
  const Rows<double> once = mxv(first, plus, G, zip_with(scaled, X.rows, v, kasen::width(width)));
  const Rows<double> twice = mxv(apart, plus, G, std::tie(once, v), once, kasen::width(width));
  const Vector<double> sums = map([](Point a) { return a[0] + a[1] + a[2]; }, twice);
  Numbers w_once(x.size() * width), w_twice(x.size() * width), w_sums;
  for (const auto& e : graph.entries) {
    const auto i = static_cast<std::size_t>(e.row), j = static_cast<std::size_t>(e.column);
    for (std::size_t k = 0; k < width; ++k) w_once[j * width + k] += X.numbers[i * width + k] * x[i];
  }
  for (const auto& e : graph.entries) {
    const auto i = static_cast<std::size_t>(e.row), j = static_cast<std::size_t>(e.column);
    for (std::size_t k = 0; k < width; ++k)
      w_twice[j * width + k] += (w_once[i * width + k] - w_once[j * width + k]) * x[i];
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    w_sums.push_back(w_twice[j * width] + w_twice[j * width + 1] + w_twice[j * width + 2]);
  EXPECT_EQ(twice.get(), w_twice);
  EXPECT_EQ(sums.get(), w_sums);
}

/// Steps along a gradient of a factorisation, in a loop: rows that are carried, and one pass over the non-zeros each.
TEST_P(EndToEnd, FactorsThatAreRows) {
  constexpr std::uint64_t rank = 10;
  const auto m = small_matrix(19, 26, 130, 3);
  const auto M = m.distribute();
  Both U = some_rows(M.rows(), m.height, rank, 1);
  const Both V = some_rows(M.columns(), m.width, rank, 4);
  const auto step = [](Point u, Point by, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = u[k] - std::round(by[k] / 4096);
  };
  const auto pull = [](Point v, double a, Point u, std::span<double> out) {
    const double miss = inner(u, v) - a;
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = miss * v[k];
  };
  Rows<double> u = U.rows;
  Shared<Int> k = 0;
  while_(likely([&] { return k < 3; }), [&] {
    u = zip_with(step, u, mxvt(pull, plus, M, V.rows, u, kasen::width(rank)), kasen::width(rank));
    ++k;
  });
  for (int round = 0; round < 3; ++round) {
    const Numbers by = serial_rows(m, false, rank, 0, kAdd, [&](const Entry<double>& e, std::span<double> out) {
      pull(V[e.column], e.value, U[e.row], out);
    });
    for (std::size_t at = 0; at < by.size(); ++at) U.numbers[at] -= std::round(by[at] / 4096);
  }
  EXPECT_EQ(u.get(), U.numbers);
}

TEST_P(EndToEnd, RowsThatDoNotFitAMatrix) {
  const auto M = small_matrix(12, 10, 30).distribute();
  const Both U = some_rows(M.rows(), 12, 2, 1), V = some_rows(M.columns(), 10, 2, 1);
  EXPECT_THROW(mxv(times, plus, M, V.rows), ProgramError);
  EXPECT_THROW(mxv(kAlong, plus, M, V.rows, U.rows, kasen::width(2)), ProgramError);
  EXPECT_THROW(mxv(kAlong, plus, M, U.rows, V.rows, kasen::width(0)), ProgramError);
}

}  // namespace
}  // namespace kasen::tests
