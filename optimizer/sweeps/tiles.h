/// @file
/// Assignment of tile buffers to the values of a sweep, and the choice of its tile size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/base/placement_stats.h"
#include "optimizer/plan/plan.h"
#include "optimizer/sweeps/places.h"

namespace kasen::optimizer {

/// What is live in a tile should fit in this many bytes: three quarters of a first-level cache of 32 KiB. Each tile
/// costs every kernel a call, and a reduction its lanes, which go through memory.
inline constexpr std::uint32_t kTileCacheBytes = 24 * 1024;
/// Before each kernel its part of the next tile is fetched from memory: no more than a core can have under way, about
/// 16 lines. It waits for what is more.
inline constexpr std::uint32_t kFetchedAtOnce = 1024;

/// By position in `places`: the position of the last launch that reads the value; -1 if none does.
std::vector<std::ptrdiff_t> last_reads(const Sweep& sweep, Places& places);

/// Among the tables with which tiles are the largest.
inline constexpr std::uint64_t kWidestTable = ~std::uint64_t{0};

/// Bytes per element of the walk.
struct TileBytes {
  std::uint64_t live = 0;     ///< in a tile
  std::uint64_t fetched = 0;  ///< read from memory before each kernel; 0: vectors stay in a cache, or a kernel is alone
  std::uint64_t table_row = 0;  ///< see table_row_bytes
};

/// The number of elements in a tile of an element sweep.
std::uint32_t tile_elements(const TileBytes& bytes);
/// The same for any sweep.
std::uint32_t tile_elements(const Sweep& sweep, const TileBytes& bytes);
/// Of the whole operands and tables of sums that kernels go through for each tile, as a product of rows by a table and
/// a cross product do, the bytes of the widest row, or element; 0 without any. What is prepared of wide ones is not
/// worth it for a tile of few elements; nor is it where a kernel is alone, and leaves nothing in a cache for another:
/// then kWidestTable.
std::uint64_t table_row_bytes(const Sweep& sweep, const Plan& plan);
/// Of `read` bytes of vectors per element, those that each kernel fetches.
std::uint64_t fetched_bytes(const Sweep& sweep, std::uint64_t read, const PlacementStats& stats);

/// Completes `places` (kinds and replacements decided) with tile buffers by linear scan over the launches - element
/// work is made in that of an operand of its type that is read no more - decides which outputs are copied at the tile's
/// end, and sets the sweep's places, slots and tile size: a power of two between 128 and 1024 elements, from 16 on
/// where they are wide and no kernel goes through a table, from 32 on where tables are narrow; 512 where MxVs are
/// alone, and at most where they are among other work.
void assign_tiles(const Plan& plan, const PlacementStats& stats, Sweep& sweep, Places places);

}  // namespace kasen::optimizer
