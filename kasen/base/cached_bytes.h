/// @file
/// The size above which vectors are taken to come from memory in every sweep over them.
#pragma once

#include <cstdint>

namespace kasen {

/// Vectors above this size do not stay in a second-level cache beside the rest of a sweep: prefetching their elements
/// pays; below, it costs a sixth.
inline constexpr std::uint64_t kCachedBytes = std::uint64_t{512} << 10;

}  // namespace kasen
