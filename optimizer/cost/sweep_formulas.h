/// @file
/// The cost formulas of sweeps, of one entry each, summed over workers.
#pragma once

#include "kasen/base/placement_stats.h"
#include "optimizer/cost/formula.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Of a run over all. @tparam Sum Formula, or std::uint64_t for its values
template <class Sum>
Costs<Sum> sweep_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats, Column column);
extern template Costs<Formula> sweep_formulas(const Plan&, const Sweep&, const PlacementStats&, Column);
extern template Costs<std::uint64_t> sweep_formulas(const Plan&, const Sweep&, const PlacementStats&, Column);

/// Of a run over a batch of a matrix that has E non-zeros; empty if the sweep is over none.
StepFormulas batch_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats);
/// Of a run that pushes A active elements and their E non-zeros; empty if the sweep has none.
StepFormulas pushed_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats);
/// Of a run in a delta iteration; empty if the sweep is not of a delta loop.
StepFormulas delta_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats);
/// Of a run over all beside delta iterations; empty if the sweep is not of a delta loop.
StepFormulas known_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats);
/// Beside those of runs that push, of a product that goes on from what it improves; empty if it does not.
StepFormulas settled_formulas(const Plan& plan, const Sweep& sweep, const PlacementStats& stats);

}  // namespace kasen::optimizer
