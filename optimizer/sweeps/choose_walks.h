/// @file
/// Pass `walks`: chooses how sweeps go over their elements and matrices.
#pragma once

#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// How the sweep may go over its elements and its matrix, of which a plan takes what is predicted to take the least
/// time. In blocks, where they are counted and the sweep holds nothing but MxVs that pull; through stencils, where the
/// matrix has them and all MxVs pull through it from one end, without Rows, and numbers unless they are asked for. The
/// first is that of a dense or compressed matrix, unless another storage is asked for and may be had.
std::vector<Walk> walks_of(const Sweep& sweep, const std::vector<Value>& values, const PlacementStats& stats,
                           Storage storage);

/// Of a dense matrix all entries are walked, whatever is active.
void take_all_if_dense(Sweep& sweep, const PlacementStats& stats);

/// Makes the sweep walk so, which is one of its walks_of(): it touches other bytes, and computes the same.
void set_walk(Sweep& sweep, Walk walk);

/// Sets the walk of every sweep, and how much of a matrix its tiles hold.
/// Before: places and tiles. After: Sweep::walk and tile_matrix_bytes; the executor has nothing left to choose.
void choose_walks(Plan& plan, const PlacementStats& stats, Storage storage, const Profile& profile);

}  // namespace kasen::optimizer
