/// @file
/// Pass `walks`: chooses how sweeps go over their elements and matrices.
#pragma once

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Whether the sweep holds nothing but MxVs that pull, over a matrix whose blocks are counted.
bool may_be_blocked(const Sweep& sweep, const PlacementStats& stats);

/// Of a dense matrix all entries are walked, whatever is active.
void take_all_if_dense(Sweep& sweep, const PlacementStats& stats);

/// Makes a sweep that may_be_blocked() walk its matrix in blocks: it touches other bytes, and computes the same.
void walk_in_blocks(Sweep& sweep);

/// Sets the walk of every sweep, and how much of a matrix its tiles hold. Those that may walk in blocks do so where
/// that is predicted to take less time, or with Storage::blocked always.
/// Before: places and tiles. After: Sweep::walk and tile_matrix_bytes; the executor has nothing left to choose.
void choose_walks(Plan& plan, const PlacementStats& stats, Storage storage, const Profile& profile);

}  // namespace kasen::optimizer
