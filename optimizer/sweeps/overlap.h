/// @file
/// Pass `overlap`: vectors travel while steps run that do not need them.
#pragma once

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Chooses exchanges that are overlapped, and the steps that run meanwhile.
/// - An exchange of scatters, which may reduce Shareds too, goes on after its step: through work on Shareds and element
///   work on masters, into loops and round their back edges, up to a sweep in blocks that reads the vectors. There it
///   ends when the blocks have been walked whose inputs are all masters.
/// - An exchange of gathers of what one sweep in blocks makes, between which and the exchange there is nothing but work
///   on Shareds, is begun by the sweep when its outputs on replicas are complete.
/// Any other step that meets an exchange under way ends it first.
/// Before: walks, costs and times. After: Exchange::overlapped and Step::under_way; times have what is saved
/// subtracted. What moves, what is counted and the order in which values are combined are as before.
/// @param all as Overlap::on asks for, takes all that can be overlapped; else those for which that is predicted to save
/// time, on one thread in each worker, so that plans are the same for any number.
void overlap_exchanges(Plan& plan, const PlacementStats& stats, const Profile& profile, bool all);

}  // namespace kasen::optimizer
