/// @file
/// The memory that a program goes through again and again, and what of the memory hierarchy serves it.
#pragma once

#include <cstdint>

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Bytes on one worker, at the mean share, of what any plan of the program stores: the matrices of its products, and
/// the vectors that live on entry, circulate in loops, or are read or made by products, each once.
std::uint64_t footprint(const Program& program, const PlacementStats& stats);

/// The profile with the rate of reading in order that a program of this footprint has, and how much of it is hidden, at
/// all sizes.
Profile at_footprint(const Profile& profile, std::uint64_t bytes);

}  // namespace kasen::optimizer
