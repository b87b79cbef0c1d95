/// @file
/// All ways in which kernels of matrices prefetch, for tests of small ones.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

inline constexpr Prefetched kEveryWay[] = {Prefetched::nothing, Prefetched::entries, Prefetched::elements};

/// Of a tile of a matrix with so many entries.
inline void set_prefetched(Prefetched prefetched, std::uint64_t entries, MatrixTile& tile) {
  tile.far = prefetched != Prefetched::nothing;
  if (prefetched != Prefetched::elements) return;
  ASSERT_GT(entries, kPrefetchDistance) << "nothing would be prefetched";
  tile.prefetch_end = entries - kPrefetchDistance;
}

}  // namespace kasen::runtime
