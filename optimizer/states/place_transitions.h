/// @file
/// Pass `place-transitions`: chooses the storage states of all values by cost (the paper's section 5.4, step 3).
#pragma once

#include <functional>
#include <optional>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "optimizer/cost/plan_cost.h"
#include "optimizer/plan/plan.h"
#include "optimizer/states/stated_program.h"

namespace kasen::optimizer {

/// The states that were chosen, and the plan they lead to.
struct Placed {
  StatedProgram stated;
  Plan plan;
};

/// Called for every combination that was tried; the plan and its cost are null if it cannot be executed. The plan does
/// not outlive the call.
using AttemptObserver = std::function<void(const Decisions&, const Plan*, const PlanCost*)>;

/// Eager and lazy: statements follow the policy; the states of loop arguments and branch results are enumerated, and
/// the cheapest plan is taken. Hybrid: the rules of all statements and the states of sources are chosen too: every
/// combination while there are few, else descent by single changes from the policies' own plans. Ties go to the
/// earlier combination, so every worker finds the same plan.
/// Before: loops in normal form, laws derived. After: every value has a state that Table 1 allows, all transitions are
/// statements, and the plan is that of these states.
/// @throws InternalError if no combination can be executed.
Placed place_transitions(const Program& program, const PlacementStats& stats, const Options& options,
                         const Lower& lower, const AttemptObserver& attempts = {});

/// The same, but the plan with the least predicted time (Plan::time) is taken; `lower` may leave out plans that are not
/// worth it. Nothing if it leaves out all. Once `enough` says so, no further combination is tried.
struct Fastest {
  std::optional<Placed> placed;
  bool complete = false;  ///< every combination was tried
};
Fastest place_fastest(const Program& program, const PlacementStats& stats, const Options& options, const Lower& lower,
                      const std::function<bool()>& enough);

}  // namespace kasen::optimizer
