/// @file
/// BinnedSum against sums in integers that are as wide as all numbers together, and against itself in other orders.
#include "kasen/base/binned_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace kasen {
namespace {

constexpr double kMost = std::numeric_limits<double>::max(), kLeast = std::numeric_limits<double>::denorm_min();

/// A sum of finite numbers in units of 2^-1074, two's complement: nothing is lost. Digit by digit, as on paper.
class WideSum {
 public:
  void add(double x) {
    int exponent = 0;
    const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    const int at = std::max(exponent - 53 + 1074, 0);
    const auto value = exponent - 53 + 1074 < 0 ? mantissa >> -(exponent - 53 + 1074) : mantissa;
    Digits other{};
    const bool minus = value < 0;
    const std::uint64_t size = minus ? -static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
    const auto digit = static_cast<std::size_t>(at / 32);
    const std::uint64_t low = (size & 0xffffffffu) << (at % 32), high = (size >> 32) << (at % 32);
    other[digit] = low & 0xffffffffu;
    const std::uint64_t middle = (low >> 32) + (high & 0xffffffffu);
    other[digit + 1] = middle & 0xffffffffu;
    other[digit + 2] = (middle >> 32) + (high >> 32);
    if (minus) negate(other);
    add(other);
  }

  /// Rounded to nearest, ties to even.
  double value() const {
    Digits size = _digits;
    const bool minus = (size.back() >> 31) != 0;
    if (minus) negate(size);
    int top = static_cast<int>(size.size()) * 32 - 1;
    while (top >= 0 && !bit(size, top)) --top;
    if (top < 0) return 0;
    const int last = std::max(top - 52, 0);
    double result = 0;
    for (int k = top; k >= last; --k) result = 2 * result + (bit(size, k) ? 1 : 0);
    bool rest = false;
    for (int k = 0; k < last - 1; ++k) rest = rest || bit(size, k);
    const bool half = last > 0 && bit(size, last - 1);
    if (half && (rest || std::fmod(result, 2) != 0)) result += 1;
    return std::ldexp(minus ? -result : result, last - 1074);
  }

 private:
  using Digits = std::array<std::uint64_t, 70>;
  static bool bit(const Digits& digits, int k) {
    return (digits[static_cast<std::size_t>(k / 32)] >> (k % 32) & 1) != 0;
  }
  static void negate(Digits& digits) {
    std::uint64_t carry = 1;
    for (std::uint64_t& digit : digits) {
      digit = (~digit & 0xffffffffu) + carry;
      carry = digit >> 32;
      digit &= 0xffffffffu;
    }
  }
  void add(const Digits& other) {
    std::uint64_t carry = 0;
    for (std::size_t k = 0; k < _digits.size(); ++k) {
      _digits[k] += other[k] + carry;
      carry = _digits[k] >> 32;
      _digits[k] &= 0xffffffffu;
    }
  }
  Digits _digits{};
};

double wide_sum(const std::vector<double>& numbers) {
  WideSum sum;
  for (const double x : numbers) sum.add(x);
  return sum.value();
}

BinnedSum one_by_one(const std::vector<double>& numbers) {
  BinnedSum sum;
  for (const double x : numbers) sum.add(x);
  return sum;
}

double value_of(const std::vector<double>& numbers) { return one_by_one(numbers).value(); }

/// Numbers of either sign with exponents from `least` to `most`, powers of two among them.
std::vector<double> drawn(std::mt19937_64& draw, std::size_t count, int least, int most) {
  std::uniform_int_distribution<int> exponent(least, most);
  std::uniform_real_distribution<double> mantissa(0.5, 1);
  std::vector<double> numbers(count);
  for (double& x : numbers) {
    x = std::ldexp(draw() % 9 == 0 ? 0.5 : mantissa(draw), exponent(draw));
    if (draw() % 2 == 0) x = -x;
  }
  return numbers;
}

struct Range {
  int least, most;
};
constexpr Range kRanges[] = {{-1, 1},      {-20, 20},   {-40, 40},      {-300, 300},    {-1073, 1024},
                             {1000, 1024}, {880, 1024}, {-1073, -1000}, {-1073, -1073}, {940, 1010}};

TEST(BinnedSum, HasTheSameBitsInAnyOrderAndGrouping) {
  std::mt19937_64 draw(1);
  for (const Range range : kRanges) {
    for (int round = 0; round < 300; ++round) {
      std::vector<double> numbers = drawn(draw, 1 + draw() % 1500, range.least, range.most);
      const BinnedSum sum = one_by_one(numbers);
      BinnedSum together;
      together.add(numbers.data(), numbers.size());
      ASSERT_EQ(together, sum);
      std::shuffle(numbers.begin(), numbers.end(), draw);
      std::vector<BinnedSum> parts(1 + draw() % 5);
      for (std::size_t k = 0; k < numbers.size(); ++k) parts[draw() % parts.size()].add(numbers[k]);
      BinnedSum forth, back;
      for (const BinnedSum& part : parts) forth.add(part);
      for (auto part = parts.rbegin(); part != parts.rend(); ++part) back = *part + back;
      ASSERT_EQ(forth, sum);
      ASSERT_EQ(back, sum);
    }
  }
}

TEST(BinnedSum, OfNumbersOfOneSizeIsRoundedOnce) {
  std::mt19937_64 draw(2);
  for (const int size : {-1060, -500, -40, 0, 31, 32, 33, 700, 1000}) {
    for (int round = 0; round < 300; ++round) {
      const std::vector<double> numbers = drawn(draw, 1 + draw() % 200, size, size + 10);
      ASSERT_EQ(value_of(numbers), wide_sum(numbers)) << size;
    }
  }
}

TEST(BinnedSum, LosesLessThanAPlainSumMay) {
  std::mt19937_64 draw(3);
  for (const Range range : kRanges) {
    for (int round = 0; round < 300; ++round) {
      const std::vector<double> numbers = drawn(draw, 1 + draw() % 500, range.least, std::min(range.most, 1000));
      double largest = 0;
      for (const double x : numbers) largest = std::max(largest, std::abs(x));
      const double want = wide_sum(numbers), got = value_of(numbers);
      const double lost = static_cast<double>(numbers.size()) * largest * 0x1p-64;
      ASSERT_LE(std::abs(got - want), std::abs(want) * 0x1p-52 + lost);
    }
  }
}

/// Cases of which Python's math.fsum gives the same.
TEST(BinnedSum, IsThatOfKnownCases) {
  EXPECT_EQ(value_of({}), 0);
  EXPECT_FALSE(std::signbit(value_of({})));
  EXPECT_EQ(value_of({0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1}), 1.0);
  EXPECT_EQ(value_of({1e16, 1, -1e16}), 1);
  EXPECT_EQ(value_of({1, 0x1p-53, 0x1p-60}), 1 + 0x1p-52);  // above the half
  EXPECT_EQ(value_of({1, 0x1p-53}), 1);                     // ties to even
  EXPECT_EQ(value_of({1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
  EXPECT_EQ(value_of({kLeast, kLeast, -kLeast}), kLeast);
  EXPECT_EQ(value_of({0x1p-1022, -kLeast}), std::nextafter(0x1p-1022, 0));
  EXPECT_EQ(value_of({kMost, kMost, -kMost}), kMost);  // where a plain sum is infinite
  EXPECT_EQ(value_of({kMost, -kMost}), 0);
  EXPECT_EQ(value_of({kMost, kMost}), HUGE_VAL);
  EXPECT_EQ(value_of({-kMost, -kMost}), -HUGE_VAL);
  EXPECT_EQ(value_of({kMost, std::ldexp(1, 969)}), kMost);     // half of the last place less than half
  EXPECT_EQ(value_of({kMost, std::ldexp(1, 970)}), HUGE_VAL);  // a tie, to even
  EXPECT_EQ(value_of({kLeast, 1, kMost, -1, -kMost}), 0);      // what is lost beside so large a number
}

TEST(BinnedSum, OfZerosIsZero) {
  EXPECT_FALSE(std::signbit(value_of({-0.0, -0.0})));
  EXPECT_FALSE(std::signbit(value_of({1.5, -1.5, -0.0})));
  EXPECT_EQ(one_by_one({0.0, -0.0}), BinnedSum());
}

TEST(BinnedSum, KeepsWhatIsNoNumber) {
  constexpr double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(value_of({1, infinite, kMost, kMost}), infinite);
  EXPECT_EQ(value_of({-infinite, 5}), -infinite);
  const auto one_nan = std::bit_cast<std::uint64_t>(nan);
  for (const std::vector<double>& numbers : {std::vector<double>{infinite, -infinite},
                                             {nan, 1},
                                             {1, -nan},
                                             {std::bit_cast<double>(one_nan + 5), infinite}}) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(value_of(numbers)), one_nan);
    BinnedSum together;
    together.add(numbers.data(), numbers.size());
    EXPECT_EQ(together, one_by_one(numbers));
  }
}

TEST(BinnedSum, TakesFloats) {
  const std::vector<float> numbers{0.1f, 3e38f, 3e38f, -1e-45f, -3e38f};
  BinnedSum together;
  together.add(numbers.data(), numbers.size());
  EXPECT_EQ(together, one_by_one({numbers.begin(), numbers.end()}));
  EXPECT_EQ(together.value(), static_cast<double>(3e38f));
}

/// As many as one worker may have, of the largest slices: by doubling.
TEST(BinnedSum, HoldsFourThousandMillionNumbers) {
  for (const double x : {1.9, -1.9, std::ldexp(-1.0, 31) + 0.5, kMost / 0x1p32}) {
    BinnedSum power, sum;
    power.add(x);
    WideSum wide;
    for (int k = 0; k < 32; ++k) {
      sum.add(power);
      wide.add(std::ldexp(x, k));
      power.add(BinnedSum(power));
    }
    EXPECT_EQ(sum.value(), wide.value()) << x;
  }
}

TEST(BinnedSum, KeepsItsAdderInStep) {
  std::mt19937_64 draw(4);
  for (const Range range : kRanges) {
    const std::vector<double> numbers = drawn(draw, 500, range.least, range.most);
    BinnedAdder adder{BinnedSum()};
    for (const double x : numbers) adder.add(x);
    EXPECT_EQ(adder.sum(), one_by_one(numbers));
  }
}

}  // namespace
}  // namespace kasen
