/// @file
/// Pass `routes`: the calls by which the vectors of each exchange travel.
#pragma once

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Chooses for each exchange that moves vectors between one call of all workers and messages between those that have
/// something for each other. Both bring the same bytes and count the same messages; but the one call also takes time
/// for every pair of workers that have nothing for each other, and messages of their own a little more each.
/// Before: costs and times. After: Exchange::to_neighbours or ::idle_pairs, but of sparse exchanges, which go to
/// neighbours; times are as before.
/// @param routes automatic: to neighbours where that is predicted to save a thirty-second of the exchange's time.
void choose_routes(Plan& plan, const PlacementStats& stats, const Profile& profile, Routes routes);

}  // namespace kasen::optimizer
