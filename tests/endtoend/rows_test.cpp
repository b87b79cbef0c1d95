/// @file
/// Rows through all that takes them, and vectors that functions get whole, beside serial loops. Numbers are exact:
/// results are equal.
#include <algorithm>
#include <array>
#include <complex>
#include <span>

#include "kasen/base/error.h"
#include "kasen/rows.h"
#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {
namespace {

using Numbers = std::vector<double>;
using Point = std::span<const double>;

constexpr std::uint64_t kPoints = 61;

double number_at(std::uint64_t i, std::uint64_t c) { return static_cast<double>((i * 7 + c * 13 + i * c) % 17) - 8; }

Numbers some_numbers(std::uint64_t length, std::uint64_t width) {
  Numbers all;
  for (std::uint64_t i = 0; i < length; ++i) {
    for (std::uint64_t c = 0; c < width; ++c) all.push_back(number_at(i, c));
  }
  return all;
}

Rows<double> some_rows(Space space, std::uint64_t width) {
  const auto fill = [](GlobalIndex i, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = number_at(static_cast<std::uint64_t>(i), c);
  };
  return map(fill, iota(space), kasen::width(width));
}

constexpr auto kSumOf = [](Point x) {
  double sum = 0;
  for (const double number : x) sum += number;
  return sum;
};
/// Each number, and the one before it: what is written before it is read would be wrong.
constexpr auto kRunning = [](Point x, std::span<double> out) {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = x[c] + (c > 0 ? x[c - 1] : 0);
};

Numbers running(const Numbers& x, std::size_t width) {
  Numbers out(x.size());
  for (std::size_t at = 0; at < x.size(); ++at) out[at] = x[at] + (at % width > 0 ? x[at - 1] : 0);
  return out;
}

TEST_P(EndToEnd, RowsAreMadeReadAndWritten) {
  const Numbers all = some_numbers(kPoints, 3);
  const BlockRange mine = block_of(kPoints);
  const auto block = std::span(all).subspan(static_cast<std::size_t>(mine.first) * 3, mine.count * 3);
  const Rows<double> given = make_rows(kPoints, 3, block), made = some_rows(kPoints, 3);
  EXPECT_EQ(given.width(), 3u);
  EXPECT_EQ(given.length(), kPoints);
  EXPECT_EQ(given.get(), all);
  EXPECT_EQ(made.get(), all);
  EXPECT_EQ(block_values(given), Numbers(block.begin(), block.end()));
  EXPECT_THROW(
      map([](double x, const auto& others) { return x + others[0][0]; }, exact_vector(3, 1), whole(Rows<double>())),
      ProgramError);
  const Rows<std::int32_t> narrow =
      map([](Point x, std::span<std::int32_t> out) { out[0] = static_cast<std::int32_t>(x[2]); }, made,
          width<std::int32_t>(1));
  const auto thirds = narrow.get();
  for (std::uint64_t i = 0; i < kPoints; ++i) EXPECT_EQ(thirds[i], number_at(i, 2));
}

/// Elements of namespace std, whose functions calls of kernels would find too: std::bind.
TEST_P(EndToEnd, RowsOfElementsOfTheStandardLibrary) {
  using Complex = std::complex<double>;
  using Pair = std::array<std::int32_t, 2>;
  const Space space(kPoints);
  const auto z = map([](GlobalIndex i) { return Complex(static_cast<double>(i), 2); }, iota(space));
  const auto pairs = map([](GlobalIndex i) { return Pair{static_cast<std::int32_t>(i), 3}; }, iota(space));
  const auto parts = [](const Complex& x, std::span<double> out) { out[0] = x.real(), out[1] = x.imag(); };
  const auto both = [](const Complex& x, const Pair& y, std::span<double> out) { out[0] = x.real() * y[1] + y[0]; };
  Numbers of_parts, of_both;
  for (std::uint64_t i = 0; i < kPoints; ++i) {
    of_parts.push_back(static_cast<double>(i));
    of_parts.push_back(2);
    of_both.push_back(static_cast<double>(4 * i));
  }
  EXPECT_EQ(map(parts, z, kasen::width(2)).get(), of_parts);
  EXPECT_EQ(zip_with(both, z, pairs, kasen::width(1)).get(), of_both);
  const auto step = [](double sum, const Complex& x, const Pair& y) { return sum + x.real() * y[1]; };
  EXPECT_EQ(fold(0.0, step, plus, z, pairs).get(), static_cast<double>(3 * kPoints * (kPoints - 1) / 2));
}

TEST_P(EndToEnd, ElementWorkAndFoldsOfRows) {
  const Rows<double> X = some_rows(kPoints, 5);
  const auto v = exact_vector(kPoints, 3);
  const Vector<double> sums = map(kSumOf, X);
  const Shared<double> factor = reduce(plus, sums);
  const auto scaled = zip_with(
      [](Point x, double by, double shared, std::span<double> out) {
        for (std::size_t c = 0; c < out.size(); ++c) out[c] = x[c] * by + shared;
      },
      X, v, factor, width(5));
  const auto dots = zip_with([](double a, Point x, Point y) { return a + kasen::dot(x, y); }, v, X, scaled);
  const auto most = fold(
      -infinity, [](double so_far, Point x) { return std::max(so_far, *std::max_element(x.begin(), x.end())); }, max,
      scaled);
  const Numbers x = some_numbers(kPoints, 5), by = exact_numbers(kPoints, 3);
  double total = 0, largest = -infinity;
  for (const double number : x) total += number;
  Numbers want, want_dots;
  for (std::size_t at = 0; at < x.size(); ++at) {
    want.push_back(x[at] * by[at / 5] + total);
    largest = std::max(largest, want[at]);
    if (at % 5 == 0) want_dots.push_back(by[at / 5]);
    want_dots.back() += x[at] * want[at];
  }
  EXPECT_EQ(scaled.get(), want);
  EXPECT_EQ(dots.get(), want_dots);
  EXPECT_EQ(most.get(), largest);
}

TEST_P(EndToEnd, RowsTakeTheirOwnPlace) {
  Rows<double> X = some_rows(kPoints, 4);
  Shared<Int> k = 0;
  while_([&] { return k < 3; },
         [&] {
           X = map(kRunning, map(kRunning, X, width(4)), width(4));
           k = k + Int{1};
         });
  X = map(kRunning, X, width(4));
  Numbers want = some_numbers(kPoints, 4);
  for (int times = 0; times < 7; ++times) want = running(want, 4);
  EXPECT_EQ(X.get(), want);
}

TEST_P(EndToEnd, RowsByKey) {
  constexpr std::uint64_t keys = 6, width = 3;
  const Rows<double> X = some_rows(kPoints, width);
  const auto key = map([](GlobalIndex i) { return static_cast<std::int16_t>(i % 7 - 1); }, iota(kPoints));
  const Rows<double> sums = reduce_by_key(plus, key, X, keys), least = reduce_by_key(min, key, X, keys);
  const Rows<double> back = take(sums, key, -3), zeros = take(least, key);
  Numbers want(keys * width), want_least(keys * width, infinity), want_back, want_zeros;
  for (std::uint64_t i = 0; i < kPoints; ++i) {
    for (std::uint64_t c = 0; c < width && i % 7 > 0; ++c) {
      want[(i % 7 - 1) * width + c] += number_at(i, c);
      double& at = want_least[(i % 7 - 1) * width + c];
      at = std::min(at, number_at(i, c));
    }
  }
  for (std::uint64_t i = 0; i < kPoints; ++i) {
    for (std::uint64_t c = 0; c < width; ++c) {
      want_back.push_back(i % 7 > 0 ? want[(i % 7 - 1) * width + c] : -3);
      want_zeros.push_back(i % 7 > 0 ? want_least[(i % 7 - 1) * width + c] : 0);
    }
  }
  EXPECT_EQ(sums.get(), want);
  EXPECT_EQ(least.get(), want_least);
  EXPECT_EQ(back.get(), want_back);
  EXPECT_EQ(zeros.get(), want_zeros);
}

/// Of a space of its own, of one that a matrix has, whose elements are in no order, and of the space that is walked.
TEST_P(EndToEnd, WholeVectors) {
  const auto m = small_matrix(23, 31, 120);
  const auto M = m.distribute();
  const auto v = exact_vector(M.rows(), 1);
  const auto received = mxv(times, plus, M, v);
  const auto count = [](double x, std::span<const double> all) {
    double below = 0;
    for (const double a : all) below += a < x ? 1 : 0;
    return below + all[0] / 2;
  };
  const auto x = exact_vector(kPoints, 2);
  const auto among = map(count, x, whole(received)), own = map(count, x, whole(x));
  const auto here = map(count, v, whole(v));
  const auto both = zip_with(
      [](double a, Point row, std::span<const double> all, const RowsView<double>& rows, double by) {
        return a * by + row[1] + all[all.size() - 1] + rows[rows.size() - 1][1] * static_cast<double>(rows.width());
      },
      x, some_rows(kPoints, 2), whole(received), whole(some_rows(7, 2)), 4.0);
  const Numbers numbers = exact_numbers(kPoints, 2), first = exact_numbers(m.height, 1);
  const Numbers sent = serial_mxv(m, kMultiply, kAdd, 0.0, first);
  const auto counted = [&](const Numbers& of, const Numbers& all) {
    Numbers result;
    for (const double a : of) result.push_back(count(a, all));
    return result;
  };
  EXPECT_EQ(among.get(), counted(numbers, sent));
  EXPECT_EQ(own.get(), counted(numbers, numbers));
  EXPECT_EQ(here.get(), counted(first, first));
  const Numbers found = both.get();
  for (std::uint64_t i = 0; i < kPoints; ++i)
    EXPECT_EQ(found[i], numbers[i] * 4 + number_at(i, 1) + sent.back() + number_at(6, 1) * 2);
}

/// Lloyd's algorithm on whole numbers: rows by key, wholes and takes in one loop.
TEST_P(EndToEnd, CentresOfRows) {
  constexpr std::uint64_t k = 4, width = 3;
  const Rows<double> X = some_rows(kPoints, width);
  Rows<double> centres = some_rows(k, width), before = centres;
  const auto nearest = [](Point x, const RowsView<double>& at) {
    std::int32_t best = 0;
    for (std::size_t j = 1; j < at.size(); ++j) {
      if (squared_distance(x, at[j]) < squared_distance(x, at[static_cast<std::size_t>(best)]))
        best = static_cast<std::int32_t>(j);
    }
    return best;
  };
  const auto mean = [](Point sum, Point from, Int n, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = n > 0 ? std::round(sum[c] / static_cast<double>(n)) : from[c];
  };
  Shared<Int> step = 0;
  while_([&] { return step < 5; },
         [&] {
           const auto own = map(nearest, X, whole(centres));
           before = centres;
           centres = zip_with(mean, reduce_by_key(plus, own, X, k), centres,
                              reduce_by_key(plus, own, constant(kPoints, Int{1}), k), kasen::width(width));
           step = step + Int{1};
         });
  Numbers at = some_numbers(k, width), last;
  const Numbers x = some_numbers(kPoints, width);
  for (int times = 0; times < 5; ++times) {
    Numbers sum(k * width);
    std::vector<Int> count(k);
    for (std::uint64_t i = 0; i < kPoints; ++i) {
      const RowsView<double> view(at.data(), k, width);
      const auto own = static_cast<std::size_t>(nearest(Point(&x[i * width], width), view));
      for (std::uint64_t c = 0; c < width; ++c) sum[own * width + c] += x[i * width + c];
      ++count[own];
    }
    last = at;
    for (std::uint64_t j = 0; j < k * width; ++j)
      at[j] = count[j / width] > 0 ? std::round(sum[j] / static_cast<double>(count[j / width])) : at[j];
  }
  EXPECT_EQ(centres.get(), at);
  EXPECT_EQ(before.get(), last);
}

/// A linear model of three classes, by steps along the gradient: products with a whole, and across the points.
TEST_P(EndToEnd, ProductsOfRows) {
  constexpr std::uint64_t d = 4, h = 3;
  const Rows<double> X = some_rows(kPoints, d), wanted = some_rows(kPoints, h);
  Rows<double> W = some_rows(d, h);
  Rows<float> narrow =
      map([](Point x, std::span<float> out) { std::copy(x.begin(), x.end(), out.begin()); }, X, kasen::width<float>(d));
  const auto minus_row = [](Point a, Point b, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = a[c] - b[c];
  };
  const auto step_along = [](Point w, Point by, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = w[c] - std::round(by[c] / 1024);
  };
  Shared<Int> step = 0;
  while_([&] { return step < 3; },
         [&] {
           const auto error = zip_with(minus_row, product(X, whole(W)), wanted, kasen::width(h));
           W = zip_with(step_along, W, cross(X, error), kasen::width(h));
           step = step + Int{1};
         });
  const Numbers x = some_numbers(kPoints, d), y = some_numbers(kPoints, h);
  Numbers w = some_numbers(d, h);
  for (int times = 0; times < 3; ++times) {
    Numbers gradient(d * h);
    for (std::uint64_t i = 0; i < kPoints; ++i) {
      for (std::uint64_t c = 0; c < h; ++c) {
        double off = -y[i * h + c];
        for (std::uint64_t k = 0; k < d; ++k) off += x[i * d + k] * w[k * h + c];
        for (std::uint64_t k = 0; k < d; ++k) gradient[k * h + c] += x[i * d + k] * off;
      }
    }
    for (std::uint64_t at = 0; at < d * h; ++at) w[at] -= std::round(gradient[at] / 1024);
  }
  Numbers squares(d * d);
  for (std::uint64_t at = 0; at < x.size(); ++at) {
    for (std::uint64_t k = 0; k < d; ++k) squares[k * d + at % d] += x[at / d * d + k] * x[at];
  }
  EXPECT_EQ(W.get(), w);
  EXPECT_EQ(cross(X, X).get(), squares);
  EXPECT_EQ(cross(narrow, narrow).get(), std::vector<float>(squares.begin(), squares.end()));
  Rows<double> twice = product(X, whole(cross(X, X)));  // in the place of X, which nobody reads any more
  twice = product(twice, whole(some_rows(d, d)));
  Numbers there(x.size()), back(x.size());
  const Numbers turn = some_numbers(d, d);
  for (std::uint64_t at = 0; at < x.size(); ++at) {
    for (std::uint64_t k = 0; k < d; ++k) there[at] += x[at / d * d + k] * squares[k * d + at % d];
  }
  for (std::uint64_t at = 0; at < x.size(); ++at) {
    for (std::uint64_t k = 0; k < d; ++k) back[at] += there[at / d * d + k] * turn[k * d + at % d];
  }
  EXPECT_EQ(twice.get(), back);
  EXPECT_THROW(product(X, whole(some_rows(d + 1, h))), ProgramError);
  EXPECT_THROW(cross(X, some_rows(kPoints + 1, h)), ProgramError);
}

TEST_P(EndToEnd, NoRowsAndNoWholes) {
  const Rows<double> none = some_rows(0, 3);
  EXPECT_EQ(none.get(), Numbers());
  EXPECT_EQ(reduce_by_key(plus, iota(0), none, 2).get(), Numbers(6, 0.0));
  EXPECT_EQ(map([](double x, const RowsView<double>& all) { return x + static_cast<double>(all.size()); },
                constant(3, 1.0), whole(none))
                .get(),
            Numbers(3, 1.0));
  EXPECT_EQ(take(none, constant(2, -1)).get(), Numbers(6, 0.0));
}

/// A row of 2,000 numbers for each element that lives in a tile.
TEST_P(EndToEnd, WideRows) {
  constexpr std::uint64_t wide = 2000;
  const auto v = exact_vector(kPoints, 4);
  const auto powers = [](double x, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = x * static_cast<double>(c % 3);
  };
  const Shared<double> sum = reduce(plus, map(kSumOf, map(powers, v, kasen::width(wide))));
  double want = 0;
  for (const double x : exact_numbers(kPoints, 4)) want += x * (667 + 2 * 666);
  EXPECT_EQ(sum.get(), want);
}

TEST_P(EndToEnd, WidthsThatDoNotFit) {
  EXPECT_THROW(map([](GlobalIndex, std::span<double>) {}, iota(3), width(0)), ProgramError);
  EXPECT_THROW(make_rows(3, 2, Numbers(block_of(3).count * 2 + 1)), Error);
  Rows<double> X = some_rows(kPoints, 2);
  Shared<Int> k = 0;
  EXPECT_THROW(while_([&] { return k < 2; },
                      [&] {
                        X = some_rows(kPoints, 3);
                        ++k;
                      }),
               ProgramError);
  EXPECT_EQ(X.get(), some_numbers(kPoints, 2));
  X = some_rows(kPoints, 3);  // outside of blocks a variable may change its width
  EXPECT_EQ(X.get(), some_numbers(kPoints, 3));
  EXPECT_THROW(zip_with([](Point, double) { return 1.0; }, X, exact_vector(kPoints + 1, 1)), ProgramError);
}

}  // namespace
}  // namespace kasen::tests
