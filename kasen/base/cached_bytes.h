/// @file
/// The sizes above which vectors are taken to come from further away in every sweep over them.
#pragma once

#include <cstdint>

namespace kasen {

/// Vectors above this size do not stay in a second-level cache beside the rest of a sweep.
inline constexpr std::uint64_t kCachedBytes = std::uint64_t{512} << 10;
/// Vectors above this size do not stay in a third-level cache that cores share, so that it pays to prefetch elements
/// that are reached at random; below, it costs a third where rows are short.
inline constexpr std::uint64_t kSharedCachedBytes = std::uint64_t{8} << 20;

}  // namespace kasen
