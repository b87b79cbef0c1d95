/// @file
/// Scans, sorting and quantiles, beside serial ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "kasen/base/error.h"
#include "tests/endtoend/end_to_end.h"
#include "tests/kasen/program_mistakes.h"

namespace kasen::tests {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

struct Line {  ///< x to a x + b: its composition is associative and not commutative
  std::int64_t a, b;
  bool operator==(const Line&) const = default;
};
constexpr std::int64_t kPrime = 1'000'003;
constexpr auto then = [](const Line& f, const Line& g) { return Line{f.a * g.a % kPrime, (f.b * g.a + g.b) % kPrime}; };

std::vector<Int> numbers_with_repetitions(std::uint64_t count) {
  std::vector<Int> values;
  for (std::uint64_t k = 0; k < count; ++k) values.push_back(static_cast<Int>(k * 7919 % 31) - 15);
  return values;
}

TEST_P(EndToEnd, ScansAddUp) {
  for (const std::uint64_t length : {0, 1, 2, 3, 7, 97}) {
    const std::vector<Int> numbers = numbers_with_repetitions(length);
    const Vector<Int> v = distribute(length, numbers);
    std::vector<Int> sums(length), before(length), highest(length);
    std::partial_sum(numbers.begin(), numbers.end(), sums.begin());
    std::exclusive_scan(numbers.begin(), numbers.end(), before.begin(), Int{5});
    std::partial_sum(numbers.begin(), numbers.end(), highest.begin(), [](Int a, Int b) { return std::max(a, b); });
    EXPECT_EQ(inclusive_scan(plus, v).get(), sums);
    EXPECT_EQ(exclusive_scan(plus, 5, v).get(), before);
    EXPECT_EQ(inclusive_scan(kasen::max, map(KASEN_FN((auto x), x + 1), v)).get(), [&] {
      for (Int& x : highest) ++x;
      return highest;
    }());
  }
}

/// Whose order matters, and over a space that a matrix has assigned.
TEST_P(EndToEnd, ScansKeepTheOrder) {
  const auto m = small_matrix(61, 61, 300);
  const Space space = separate_space(61, "lines");
  const Matrix<double> M = m.distribute(space, space);
  std::vector<Line> lines;
  for (std::int64_t k = 0; k < 61; ++k) lines.push_back({k * 37 % 101 + 1, k * k});
  std::vector<Line> composed(lines.size());
  std::partial_sum(lines.begin(), lines.end(), composed.begin(), then);
  EXPECT_EQ(inclusive_scan(then, distribute(space, lines)).get(), composed);
  std::exclusive_scan(lines.begin(), lines.end(), composed.begin(), Line{1, 0}, then);
  EXPECT_EQ(exclusive_scan(then, Line{1, 0}, distribute(space, lines)).get(), composed);
  // Small types do not grow on the way.
  const std::vector<std::uint8_t> small(61, 9);
  std::vector<std::uint8_t> wrapped(61);
  std::partial_sum(small.begin(), small.end(), wrapped.begin(),
                   [](std::uint8_t a, std::uint8_t b) { return static_cast<std::uint8_t>(a + b); });
  EXPECT_EQ(inclusive_scan(plus, distribute(space, small)).get(), wrapped);
  EXPECT_EQ(multiply(M, inclusive_scan(plus, constant(space, 1.0))).get(), serial_mxvt(m, kMultiply, kAdd, 0.0, [] {
              std::vector<double> upwards(61);
              std::iota(upwards.begin(), upwards.end(), 1.0);
              return upwards;
            }()));
}

TEST_P(EndToEnd, ScansStopWithWhatTheFunctionThrows) {
  const Vector<Int> v = iota(40);
  const auto refuses = [](Int a, Int b) {
    if (b == 23) throw Error("no 23");
    return a + b;
  };
  expect_refused([&] { inclusive_scan(refuses, v); }, "no 23");
  const auto throws = [](Int a, Int b) {
    if (b == 23) throw std::runtime_error("no 23");
    return a + b;
  };
  expect_refused([&] { inclusive_scan(throws, v); }, "[inclusive_scan(function)] the function threw: no 23");
  const auto nested = [&](Int a, Int b) { return a + b + reduce(plus, v).get(); };
  expect_refused([&] { inclusive_scan(nested, v); }, "not allowed in a function of elements");
  expect_refused([&] { exclusive_scan(plus, 0.5, v); }, "a value that no element has");
  expect_refused(
      [&] {
        exclusive_scan(plus, -1, distribute(2, std::vector<std::uint8_t>{1, 2}));
      },
      "a value that no element has");
  EXPECT_EQ(reduce(plus, v).get(), 780);
}

/// Workers that call something else, or give it something else, end together.
TEST_P(EndToEnd, WorkersScanAndSortTogether) {
  if (session().workers() == 1) return;
  const bool first_one = session().rank() == 0;
  const Vector<Int> v = map(KASEN_FN((auto i), i * 7), iota(40));
  v.get();
  expect_refused([&] { first_one ? sort(v) : inclusive_scan(plus, v); }, "different ones of the calls");
}
TEST_P(EndToEnd, WorkersGiveScansAndSortsTheSame) {
  if (session().workers() == 1) return;
  const bool first_one = session().rank() == 0;
  const Vector<Int> v = map(KASEN_FN((auto i), i * 7), iota(40));
  expect_refused([&] { sort(v, first_one ? Order::ascending : Order::descending); }, "something else");
}
TEST_P(EndToEnd, WorkersMakeTheSameStencil) {
  if (session().workers() == 1) return;
  const double weight = session().rank();
  expect_refused([&] { stencil(40, {40}, {{{1}, weight}}); }, "something else");
}

TEST_P(EndToEnd, SortPutsInOrder) {
  for (const std::uint64_t length : {0, 1, 2, 5, 211}) {
    std::vector<Int> numbers = numbers_with_repetitions(length);
    const Vector<Int> v = distribute(length, numbers);
    std::vector<Int> upwards = numbers;
    std::sort(upwards.begin(), upwards.end());
    EXPECT_EQ(sort(v).get(), upwards);
    std::reverse(upwards.begin(), upwards.end());
    EXPECT_EQ(sort(v, Order::descending).get(), upwards);
  }
  const std::vector<Int> far{std::numeric_limits<Int>::max(), -1, std::numeric_limits<Int>::min(), 0, 1};
  EXPECT_EQ(sort(distribute(5, far)).get(), (std::vector<Int>{far[2], -1, 0, 1, far[0]}));
  EXPECT_EQ(sort(distribute(5, far), Order::descending).get(), (std::vector<Int>{far[0], 1, 0, -1, far[2]}));
  const std::vector<std::uint64_t> large{~std::uint64_t{0}, 0, std::uint64_t{1} << 63};
  EXPECT_EQ(sort(distribute(3, large), Order::descending).get(), (std::vector<std::uint64_t>{large[0], large[2], 0}));
  const std::vector<float> single{0.5f, -3.25f, 1e30f, -1e-30f};
  EXPECT_EQ(sort(distribute(4, single)).get(), (std::vector<float>{-3.25f, -1e-30f, 0.5f, 1e30f}));
}

/// NaN last in both orders, infinities at the ends, and 0 and -0 as they stand.
TEST_P(EndToEnd, SortKnowsSpecialNumbers) {
  const std::vector<double> numbers{3, kNaN, -0.0, -kInfinity, 0.0, -kNaN, 1e-310, kInfinity, -0.0, -1e-310};
  const std::vector<double> upwards = sort(distribute(10, numbers)).get();
  const std::vector<double> want{-kInfinity, -1e-310, -0.0, 0.0, -0.0, 1e-310, 3, kInfinity};
  for (std::size_t k = 0; k < want.size(); ++k) {
    EXPECT_EQ(upwards[k], want[k]) << k;
    EXPECT_EQ(std::signbit(upwards[k]), std::signbit(want[k])) << k;
  }
  EXPECT_TRUE(std::isnan(upwards[8]) && std::isnan(upwards[9]));
  const std::vector<double> downwards = sort(distribute(10, numbers), Order::descending).get();
  EXPECT_EQ(std::vector<double>(downwards.begin(), downwards.begin() + 8),
            (std::vector<double>{kInfinity, 3, 1e-310, 0, 0, 0, -1e-310, -kInfinity}));
  EXPECT_TRUE(std::isnan(downwards[8]) && std::isnan(downwards[9]));
}

struct Odd {
  std::array<std::uint8_t, 5> bytes;
  bool operator==(const Odd&) const = default;
};

/// Equal keys keep their order; columns of any type, over a space that a matrix has assigned.
TEST_P(EndToEnd, SortCarriesColumns) {
  const auto m = small_matrix(83, 83, 300);
  const Space space = separate_space(83, "rows");
  const Matrix<double> M = m.distribute(space, space);
  const std::vector<Int> numbers = numbers_with_repetitions(83);
  std::vector<Odd> odd;
  for (std::uint8_t k = 0; k < 83; ++k) odd.push_back({{k, 1, k, 2, k}});
  const Vector<Int> v = distribute(space, numbers), index = iota(space);
  const Vector<Odd> structs = distribute(space, odd);
  const auto fill = [](Int i, std::span<float> out) { out[0] = static_cast<float>(i), out[1] = out[2] = 0.5f; };
  const Rows<float> rows = map(fill, index, width<float>(3));
  for (const Order order : {Order::ascending, Order::descending}) {
    std::vector<Int> stood(83);
    std::iota(stood.begin(), stood.end(), Int{0});
    std::stable_sort(stood.begin(), stood.end(), [&](Int a, Int b) {
      const Int x = numbers[static_cast<std::size_t>(a)], y = numbers[static_cast<std::size_t>(b)];
      return order == Order::ascending ? x < y : y < x;
    });
    std::vector<Odd> moved;
    for (const Int at : stood) moved.push_back(odd[static_cast<std::size_t>(at)]);
    const auto [from, things, lines] = sort(v, std::tie(index, structs, rows), order);
    EXPECT_EQ(from.get(), stood);
    EXPECT_EQ(things.get(), moved);
    EXPECT_EQ(lines.get(), map(fill, from, width<float>(3)).get());
    EXPECT_EQ(lines.space().id(), space.id());
    EXPECT_EQ(sort(v, index, order).get(), stood);
  }
  const std::vector<Int> same(83, 7);  // one key: parts are cut among its elements
  EXPECT_EQ(sort(distribute(space, same), index).get(), index.get());
  const Vector<double> elsewhere = constant(7, 1.0);
  expect_refused([&] { sort(v, elsewhere); }, "another space than the key: of length 7, and 83");
}

/// By the definition, from elements in order.
double serial_quantile(std::vector<double> numbers, double share) {
  std::sort(numbers.begin(), numbers.end());
  const double at = static_cast<double>(numbers.size() - 1) * share;
  const auto lower = static_cast<std::size_t>(at);
  if (at == static_cast<double>(lower)) return numbers[lower];
  return numbers[lower] + (numbers[lower + 1] - numbers[lower]) * (at - static_cast<double>(lower));
}

TEST_P(EndToEnd, QuantilesAreThoseOfElementsInOrder) {
  for (const std::uint64_t length : {1, 2, 4, 211}) {
    std::vector<double> numbers;
    for (std::uint64_t k = 0; k < length; ++k)
      numbers.push_back((static_cast<double>(k * 7919 % 101) - 50) * std::pow(10.0, static_cast<double>(k % 9) - 4));
    const std::vector<double> shares{0.5, 0, 1, 0.25, 0.99, 0.5, 1.0 / 3};
    const std::vector<double> found = quantiles(distribute(length, numbers), shares);
    ASSERT_EQ(found.size(), shares.size());
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const double want = serial_quantile(numbers, shares[k]);
      EXPECT_NEAR(found[k], want, 1e-12 * std::abs(want)) << length << " " << shares[k];
    }
  }
  EXPECT_EQ(quantiles(iota(10), {0.5}), (std::vector<double>{4.5}));
  EXPECT_EQ(quantiles(iota(10), {}), std::vector<double>());
  EXPECT_EQ(quantiles(distribute(3, std::vector<double>{1, kInfinity, -kInfinity}), {0, 0.5, 0.75, 1}),
            (std::vector<double>{-kInfinity, 1, kInfinity, kInfinity}));
  for (const double other : {-5.0, 0.0, 5.0}) {
    EXPECT_EQ(quantiles(distribute(2, std::vector<double>{other, -kInfinity}), {0.5})[0], -kInfinity) << other;
    EXPECT_EQ(quantiles(distribute(2, std::vector<double>{kInfinity, other}), {0.5})[0], kInfinity) << other;
  }
  EXPECT_TRUE(std::isnan(quantiles(distribute(3, std::vector<double>{1, kNaN, 2}), {0})[0]));
  expect_refused([&] { quantiles(iota(10), {1.5}); }, "1.500000 is no share");
  expect_refused([&] { quantiles(constant(0, 1.0), {0.5}); }, "none of no elements");
}

TEST_P(EndToEnd, OrderHasNoPlaceInALoop) {
  Shared<Int> k = 0;
  const auto in_loop = [&](const auto& call) { while_([&] { return k < 1; }, call); };
  expect_refused([&] { in_loop([] { inclusive_scan(plus, iota(12)); }); }, "a recorded block");
  expect_refused([&] { in_loop([] { sort(iota(12)); }); }, "a recorded block");
  expect_refused([&] { in_loop([] { quantiles(iota(12), {0.5}); }); }, "a recorded block");
  expect_refused([&] { in_loop([] { diagonal(iota(12)); }); }, "a recorded block");
}

}  // namespace
}  // namespace kasen::tests
