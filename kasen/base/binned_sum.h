/// @file
/// Struct BinnedSum: a sum of floating-point numbers with the same bits in any order and grouping.
///
/// The idea is that of J. Demmel and H. D. Nguyen, Parallel Reproducible Summation (IEEE Transactions on Computers 64,
/// 2015): numbers are cut at fixed powers of two into slices, and slices of one place are added without rounding. Here
/// slices are added as integers, so that nothing has to be carried.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kasen {

/// The sum of up to 2^32 - 1 numbers. A number is the sum of its slices, each a multiple of the unit of its place and
/// at most half a unit of the next place, rounded to nearest: place p has the unit 2^(32p - 1074). Slices of three
/// places are kept, the highest of which is that of the largest number; what the largest number makes of the window
/// does not depend on when it comes. So at most half a unit of the lowest place is lost of each number, less than 2^-64
/// times the largest one, and nothing of numbers within a factor of 2^11. Zero bytes are the sum of nothing.
struct BinnedSum {
  static constexpr int kDigits = 3, kPlaceBits = 32;
  static constexpr std::int32_t kHighestLow = 63;

  std::int64_t digit[kDigits] = {};  ///< the highest first; digit[k] is of place low + 2 - k
  std::int32_t low = 0;              ///< the lowest place that is kept
  std::uint32_t special = 0;         ///< which values were seen that are no number: see the constants

  static constexpr std::uint32_t kInfinity = 1, kMinusInfinity = 2, kNan = 4;

  inline void add(double x);
  /// As each of n numbers alone, several at once. T: double or float.
  template <class T>
  void add(const T* numbers, std::size_t n);
  void add(const BinnedSum& other);
  friend BinnedSum operator+(BinnedSum a, const BinnedSum& b) {
    a.add(b);
    return a;
  }

  /// The sum of the slices, rounded to nearest once. NaN has one bit pattern; the sum of zeros is +0.
  double value() const;

  /// The lowest place of the window that a number asks for; 0 if it is none.
  static std::int32_t low_for(double x) { return low_for_bits(std::bit_cast<std::uint64_t>(x)); }
  static inline std::int32_t low_for_bits(std::uint64_t bits);
  /// Drops what is below place `to`, if that is higher than the lowest one.
  inline void raise(std::int32_t to);
  /// Adds what no fast path takes: larger numbers than the window is for, what is no number, and numbers so large that
  /// the fast path would overflow.
  void add_slowly(double x);

  bool operator==(const BinnedSum&) const = default;
};
static_assert(sizeof(BinnedSum) == 32);

namespace detail {

/// Numbers that round to multiples of the units of a window: x + m is rounded to nearest at a unit, which is then the
/// last bit of its mantissa.
class Rounders {
 public:
  /// Above it these would overflow.
  static constexpr std::int32_t kHighestLow = 61;

  explicit Rounders(std::int32_t low) : _highest((std::uint64_t(32 * low + 65) << 52) | (std::uint64_t{1} << 51)) {}
  std::uint64_t bits(int digit) const { return _highest - (std::uint64_t(32 * digit) << 52); }
  double number(int digit) const { return std::bit_cast<double>(bits(digit)); }
  /// The largest number for which the window is high enough.
  static double limit(std::int32_t low) { return std::bit_cast<double>(std::uint64_t(32 * low + 44) << 52); }

 private:
  std::uint64_t _highest;
};

/// Keeps a compiler from making one operation of a product and the addition of its slices, which would round otherwise.
inline double as_rounded(double x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
#else
  asm("" : "+m"(x));
#endif
  return x;
}

}  // namespace detail

/// Adds numbers to a BinnedSum one by one, with what the additions need in registers.
class BinnedAdder {
 public:
  explicit BinnedAdder(const BinnedSum& sum) : _low(sum.low), _special(sum.special) {
    const bool fast = sum.low <= detail::Rounders::kHighestLow;
    const detail::Rounders rounders(fast ? sum.low : detail::Rounders::kHighestLow);
    for (int k = 0; k < BinnedSum::kDigits; ++k) {
      _rounder[k] = rounders.number(k);
      _digit[k] = static_cast<std::uint64_t>(sum.digit[k]);
    }
    _limit = fast ? detail::Rounders::limit(sum.low) : -1.0;
  }

  void add(double given) {
    const double x = detail::as_rounded(given);
    if (!(std::fabs(x) <= _limit)) [[unlikely]] {
      *this = BinnedAdder(slowly(sum(), x));
      return;
    }
    ++_count;
    const double high = x + _rounder[0];
    _digit[0] += std::bit_cast<std::uint64_t>(high);
    const double left = x - (high - _rounder[0]);
    const double middle = left + _rounder[1];
    _digit[1] += std::bit_cast<std::uint64_t>(middle);
    const double last = left - (middle - _rounder[1]);
    _digit[2] += std::bit_cast<std::uint64_t>(last + _rounder[2]);
  }

  BinnedSum sum() const {
    BinnedSum sum;
    for (int k = 0; k < BinnedSum::kDigits; ++k) {
      const std::uint64_t rounders = _count * std::bit_cast<std::uint64_t>(_rounder[k]);
      sum.digit[k] = static_cast<std::int64_t>(_digit[k] - rounders);
    }
    sum.low = _low;
    sum.special = _special;
    return sum;
  }

 private:
  /// With copies, so that a loop keeps its adder in registers.
  [[gnu::noinline]] static BinnedSum slowly(BinnedSum sum, double x) {
    sum.add_slowly(x);
    return sum;
  }

  double _limit;
  double _rounder[BinnedSum::kDigits];
  std::uint64_t _digit[BinnedSum::kDigits];  ///< with _count times the bits of the rounder
  std::uint64_t _count = 0;
  std::int32_t _low;
  std::uint32_t _special;
};

inline std::int32_t BinnedSum::low_for_bits(std::uint64_t bits) {
  const auto exponent = static_cast<std::int32_t>(bits >> 52 & 0x7ff);
  const std::int32_t above_power = (bits << 12) != 0 ? 1 : 0;
  const std::int32_t place = (exponent + above_power + 51) / kPlaceBits - 2;
  return place < 0 || exponent == 0x7ff ? 0 : place;
}

inline void BinnedSum::raise(std::int32_t to) {
  const std::int32_t by = to - low;
  if (by <= 0) return;
  digit[2] = by == 1 ? digit[1] : by == 2 ? digit[0] : 0;
  digit[1] = by == 1 ? digit[0] : 0;
  digit[0] = 0;
  low = to;
}

inline void BinnedSum::add(double given) {
  const double x = detail::as_rounded(given);
  raise(low_for(x));
  if (low > detail::Rounders::kHighestLow || !(std::fabs(x) <= std::numeric_limits<double>::max())) [[unlikely]]
    return add_slowly(x);
  const detail::Rounders rounders(low);
  double left = x;
  for (int k = 0; k < kDigits; ++k) {
    const double rounded = left + rounders.number(k);
    const std::uint64_t slice = std::bit_cast<std::uint64_t>(rounded) - rounders.bits(k);
    digit[k] = static_cast<std::int64_t>(static_cast<std::uint64_t>(digit[k]) + slice);
    left -= rounded - rounders.number(k);
  }
}

extern template void BinnedSum::add(const double*, std::size_t);
extern template void BinnedSum::add(const float*, std::size_t);

}  // namespace kasen
