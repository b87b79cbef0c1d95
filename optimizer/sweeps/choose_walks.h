/// @file
/// Pass `walks`: how sweeps go over their matrices.
#pragma once

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// The sweep holds nothing but MxVs that pull, over a matrix whose blocks are counted.
bool may_be_blocked(const Sweep& sweep, const PlacementStats& stats);

/// What a sweep that walks its matrix in blocks touches differs, its results do not. Requires may_be_blocked().
void walk_in_blocks(Sweep& sweep);

/// Sets the walk of every sweep, and how much of a matrix its tiles hold. Those that may be blocked are where that is
/// predicted to take less time, or with Storage::blocked all of them.
/// Before: places and tiles. After: Sweep::walk and tile_matrix_bytes; the executor has nothing left to choose.
void choose_walks(Plan& plan, const PlacementStats& stats, Storage storage, const Profile& profile);

}  // namespace kasen::optimizer
