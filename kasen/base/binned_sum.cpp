#include "kasen/base/binned_sum.h"

#include <algorithm>
#include <limits>

namespace kasen {
namespace {

constexpr std::uint64_t kMagnitude = ~std::uint64_t{0} >> 1, kInfinite = std::uint64_t{0x7ff} << 52;
constexpr int kLeastExponent = -1074;

/// So many numbers are looked at twice while they are in the nearest cache.
constexpr std::size_t kBlock = 512;

__extension__ using Wide = __int128;
__extension__ using WideSize = unsigned __int128;

std::int64_t sliced(std::uint64_t sum, std::uint64_t before, std::uint64_t rounder, std::size_t n) {
  return static_cast<std::int64_t>(before + sum - n * rounder);
}

}  // namespace

void BinnedSum::add_slowly(double x) {
  if (!std::isfinite(x)) {
    special |= std::isnan(x) ? kNan : x > 0 ? kInfinity : kMinusInfinity;
    return;
  }
  raise(low_for(x));
  // By a scale that is a power of two and whole places, so that slices stay what they are.
  const bool scaled = low > detail::Rounders::kHighestLow;
  const detail::Rounders rounders(scaled ? low - kDigits : low);
  double left = scaled ? x * 0x1p-96 : x;
  for (int k = 0; k < kDigits; ++k) {
    const double rounded = left + rounders.number(k);
    digit[k] = sliced(std::bit_cast<std::uint64_t>(rounded), static_cast<std::uint64_t>(digit[k]), rounders.bits(k), 1);
    left -= rounded - rounders.number(k);
  }
}

template <class T>
void BinnedSum::add(const T* numbers, std::size_t n) {
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t count = std::min(kBlock, n - first);
    const T* const x = numbers + first;
    std::int64_t most = 0;
#pragma omp simd reduction(max : most)
    for (std::size_t k = 0; k < count; ++k) {
      const auto size = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(static_cast<double>(x[k])) & kMagnitude);
      most = std::max(most, size);
    }
    const auto largest = static_cast<std::uint64_t>(most);
    if (largest < kInfinite) raise(low_for_bits(largest));
    if (largest >= kInfinite || low > detail::Rounders::kHighestLow) {
      for (std::size_t k = 0; k < count; ++k) add_slowly(static_cast<double>(x[k]));
      continue;
    }
    const detail::Rounders rounders(low);
    const double high = rounders.number(0), middle = rounders.number(1), last = rounders.number(2);
    std::uint64_t sum[kDigits] = {};
    std::uint64_t &highs = sum[0], &middles = sum[1], &lasts = sum[2];
#pragma omp simd reduction(+ : highs, middles, lasts)
    for (std::size_t k = 0; k < count; ++k) {
      double left = static_cast<double>(x[k]);
      const double a = left + high;
      highs += std::bit_cast<std::uint64_t>(a);
      left -= a - high;
      const double b = left + middle;
      middles += std::bit_cast<std::uint64_t>(b);
      left -= b - middle;
      lasts += std::bit_cast<std::uint64_t>(left + last);
    }
    for (int k = 0; k < kDigits; ++k)
      digit[k] = sliced(sum[k], static_cast<std::uint64_t>(digit[k]), rounders.bits(k), count);
  }
}
template void BinnedSum::add(const double*, std::size_t);
template void BinnedSum::add(const float*, std::size_t);

void BinnedSum::add(const BinnedSum& other) {
  special |= other.special;
  raise(other.low);
  for (std::int32_t k = 0, to = low - other.low; to < kDigits; ++k, ++to) {
    digit[to] =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(digit[to]) + static_cast<std::uint64_t>(other.digit[k]));
  }
}

double BinnedSum::value() const {
  const bool infinite = (special & kInfinity) != 0, minus_infinite = (special & kMinusInfinity) != 0;
  if ((special & kNan) != 0 || (infinite && minus_infinite)) return std::numeric_limits<double>::quiet_NaN();
  if (infinite || minus_infinite) return infinite ? HUGE_VAL : -HUGE_VAL;
  constexpr Wide kPlace = Wide{1} << kPlaceBits;
  const Wide sum = (digit[0] * kPlace + digit[1]) * kPlace + digit[2];
  const WideSize size = sum < 0 ? -static_cast<WideSize>(sum) : static_cast<WideSize>(sum);
  // Its 64 highest bits, the last of which says too whether there is anything below: enough to round by.
  const int below = 64 - std::countl_zero(static_cast<std::uint64_t>(size >> 64));
  auto kept = static_cast<std::uint64_t>(size >> below);
  if ((static_cast<WideSize>(kept) << below) != size) kept |= 1;
  const double rounded = static_cast<double>(kept);
  const int exponent = kPlaceBits * low + kLeastExponent + below;
  const bool is_normal = exponent >= -1022 && exponent + 64 <= 1023;
  const double result = is_normal ? rounded * std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52)
                                  : std::ldexp(rounded, exponent);
  return sum < 0 ? -result : result;
}

}  // namespace kasen
