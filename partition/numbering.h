/// @file
/// Numbering (`--numbering`) of a worker's part of an index space, by index or by degree, and the choice between them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/global_indices.h"
#include "kasen/base/ids.h"
#include "kasen/base/options.h"
#include "partition/index_space.h"

namespace kasen::partition {

/// The distance within which elements are near: doubles then share a cache line.
inline constexpr LocalIndex kNearElements = 8;
/// The percentage of near accesses from which the given order is left alone. R-MAT graphs with 16 edges a vertex have
/// 20 per cent at scale 14 and 10 at 20, and gain a fifth; Debian's packages in the order of their names have 42, and
/// lose 6 per cent; cnr-2000, in the order of its crawl, has 86.
inline constexpr std::uint64_t kLocalPercent = 33;
/// The percentage of accesses that must reach the elements of highest degree, one in kHotShare: with even degrees there
/// is no order that gains. In R-MAT graphs with 16 edges a vertex these get 77 to 84, among uniform edges 16.
inline constexpr std::uint64_t kHotPercent = 50, kHotShare = 8;
/// How many accesses of a worker are examined for nearness; of more, those of every k-th line.
inline constexpr std::uint64_t kSampledAccesses = std::uint64_t{1} << 17;

/// One side of a matrix over a space, as this worker's non-zeros see it.
struct NumberedSide {
  GlobalIndexView index;                 ///< by non-zero, on the space
  GlobalIndexView line;                  ///< by non-zero, on the other side
  std::span<const GlobalIndex> touched;  ///< the distinct ones of `index`, ascending; empty on one worker
};

struct NumberingChoice {
  SpaceId space{};
  bool by_degree = false;
  std::string reason;
};

/// Collective. Numbers `space`, which is assigned and has no numbers yet, as `asked` for; equal on all workers. The
/// degree of an element is how often this worker's non-zeros name it, on any of the `sides`.
/// Automatic: by degree where workers' parts of a vector of doubles are on average longer than twice `cache_bytes`, the
/// given order has no locality (kLocalPercent) and degrees are uneven (kHotPercent).
/// Cost: of index, nothing; of degree, one counting pass and a sort of the elements here; automatic, where vectors are
/// long, also a sort of a sample and three small all-reduces.
NumberingChoice number(const comm::Communicator& communicator, Numbering asked, std::uint64_t cache_bytes,
                       IndexSpace& space, std::span<const NumberedSide> sides);

}  // namespace kasen::partition
