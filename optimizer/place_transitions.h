/// @file
/// Pass `place-transitions`: the storage states of all values, chosen by cost (the paper's section 5.4, step 3).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "optimizer/plan.h"
#include "optimizer/states.h"

namespace kasen::optimizer {

/// What makes one plan cheaper than another, compared in this order (DESIGN: Cheapest): first what an iteration of the
/// outermost loops costs, in which an inner loop counts 16 times and each side of a branch once; then the same of what
/// runs outside of loops. So a scatter goes to the end of the loop's body, where it joins the reductions of Shareds,
/// although the last one is then wasted.
struct PlanCost {
  struct Part {
    std::uint64_t bytes_sent = 0;  ///< of vectors and Shareds
    std::uint64_t messages = 0;
    std::uint64_t stream_bytes = 0;  ///< read and written
    std::uint64_t boundaries = 0;    ///< exchanges, empty ones included
    std::uint64_t buffer_bytes = 0;  ///< of the whole plan
    std::uint64_t transitions = 0;   ///< of vectors
    auto operator<=>(const Part&) const = default;
  };
  PlanTime time;  ///< before all else, where plans are compared by time
  Part loops, rest;
  std::uint64_t consistent = 0;  ///< values kept consistent: partitioned comes first
  auto operator<=>(const PlanCost&) const = default;
};
PlanCost cost_of(const Plan& plan);

/// Turns a program in states into a plan with costs; nothing if it cannot be executed.
using Lower = std::function<std::optional<Plan>(const StatedProgram&)>;

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
/// @throws InternalError if no combination can be executed.
Placed place_transitions(const Program& program, const PlacementStats& stats, const Options& options,
                         const Lower& lower, const AttemptObserver& attempts = {});

/// The same, but the plan with the least predicted time (Plan::time) is taken; `lower` may leave out plans that are not
/// worth it. Nothing if it leaves out all.
struct Fastest {
  std::optional<Placed> placed;
  bool complete = false;  ///< every combination was tried
};
Fastest place_fastest(const Program& program, const PlacementStats& stats, const Options& options, const Lower& lower);

}  // namespace kasen::optimizer
