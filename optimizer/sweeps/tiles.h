/// @file
/// Assignment of tile buffers to the values of a sweep, and the choice of its tile size.
#pragma once

#include <cstdint>

#include "optimizer/plan/plan.h"
#include "optimizer/sweeps/places.h"

namespace kasen::optimizer {

/// What is live in a tile should fit in this many bytes: a quarter of a first-level cache of 32 KiB, which leaves room
/// for what hardware prefetches of the next tiles.
inline constexpr std::uint32_t kTileCacheBytes = 8 * 1024;

/// The number of elements in a tile of an element sweep, if so many bytes per element are live.
std::uint32_t tile_elements(std::uint64_t live_bytes);
/// The same for any sweep.
std::uint32_t tile_elements(const Sweep& sweep, std::uint64_t live_bytes);

/// Completes `places` (kinds and replacements decided) with tile buffers by linear scan over the launches, decides
/// which outputs are copied at the tile's end, and sets the sweep's places, slots and tile size: a power of two
/// between 128 and 1024 elements, so that all that is live fits the cache; 512 where MxVs are alone, and at most where
/// they are among other work.
void assign_tiles(const Plan& plan, Sweep& sweep, Places places);

}  // namespace kasen::optimizer
