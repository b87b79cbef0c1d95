/// @file
/// Words and cache lines, of which accesses to memory are counted.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kasen/base/profile.h"

namespace kasen::optimizer {

inline constexpr std::uint64_t kWord = 8;        ///< bytes: what the profile's rates are per
inline constexpr std::uint64_t kCacheLine = 64;  ///< bytes

inline std::uint64_t share(std::uint64_t all, std::uint64_t parts) { return (all + parts - 1) / parts; }
inline std::uint64_t words(std::uint64_t bytes) { return std::max<std::uint64_t>(1, share(bytes, kWord)); }

/// Picoseconds of reaching an element of so many bytes where an access takes so long: each of its cache lines, and
/// further words in the first-level cache.
inline std::uint64_t reaching(std::uint64_t bytes, std::uint64_t access, const Profile& profile) {
  const std::uint64_t lines = std::max<std::uint64_t>(1, share(bytes, kCacheLine));
  return lines * access + (words(bytes) - lines) * profile.move_picoseconds;
}

}  // namespace kasen::optimizer
