/// @file
/// The time model: predicted times of steps and plans, from their stream counts and the profile of a machine, which
/// `--fusion exact` minimises.
#pragma once

#include <cstdint>

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/cost/part_times.h"
#include "optimizer/cost/sweep_timer.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// What a way to exchange saves is worth it from this part on of the time that it is saved of.
inline constexpr std::uint64_t kWorthwhile = 32;

/// The time of one entry into a step whose stream counts are set; zero for loops and branches.
/// @param threads of each worker. What they share of a sweep they do in parallel, at the rates of as many workers.
Ticks ticks_of(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile,
               std::uint32_t threads = 1);

/// The bytes, and the messages, among an exchange's counts that are of vectors.
std::uint64_t bytes_of_vectors(const Exchange& exchange, const Counts& counts, const std::vector<Value>& values,
                               std::uint64_t workers);
std::uint64_t messages_of_vectors(const Exchange& exchange, const Counts& counts, std::uint64_t workers);

/// How often a block within `depth` loops is taken to run; a branch is taken to run both of its sides.
std::uint64_t weight_at(int depth);

/// Fills Step::picoseconds and Plan::time. Requires Step::stream. Plans are compared by their times on one thread, so
/// that the number of threads does not change what is computed.
void assign_times(Plan& plan, const PlacementStats& stats, const Profile& profile, std::uint32_t threads = 1);

}  // namespace kasen::optimizer
