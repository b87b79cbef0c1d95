/// @file
/// Numbers as unsigned integers that order as they do.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kasen {

/// Those of NaN, which come last; of integers of 64 bits the largest one has the same, of all others none.
inline constexpr std::uint64_t kLastBits = std::numeric_limits<std::uint64_t>::max();

/// a < b is ordered_bits(a) < ordered_bits(b), and 0 and -0 have the same.
template <class T>
requires std::is_arithmetic_v<T> std::uint64_t ordered_bits(T value) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(value)) return kLastBits;
    const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : static_cast<double>(value));
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) ^ kSign;
  } else {
    return value;
  }
}

/// The double that has these bits. @param bits of a number or NaN
inline double double_of_ordered(std::uint64_t bits) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  if (bits == kLastBits) return std::numeric_limits<double>::quiet_NaN();
  return std::bit_cast<double>((bits & kSign) != 0 ? bits ^ kSign : ~bits);
}

}  // namespace kasen
