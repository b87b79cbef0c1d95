/// @file
/// The cost formulas of the model (docs/model.md; the paper, section 6), in symbols. One implementation serves planning
/// (evaluated), printing (as text) and the run report. What the executor counts never comes from here.
#pragma once

#include <cstdint>

#include "kasen/base/counts.h"
#include "kasen/base/placement_stats.h"
#include "optimizer/cost/formula.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// What one entry of a step costs, summed over workers. `buffer_bytes`: an exchange's own buffers for packing.
using StepFormulas = Costs<Formula>;

/// stream: what the kernels really touch. model: the paper's terms, with all replicas of the space.
enum class Column : std::uint8_t { stream, model };

/// Formulas of a sweep, an exchange or a scalar step; of loops and branches, whose steps count themselves, zero.
StepFormulas formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats, Column column);

/// Without buffer_bytes, which are those of the whole plan.
Counts evaluate(const StepFormulas& formulas, const PlacementStats& stats);

/// Bytes of the plan's buffers. stream: its classes, and packing buffers. model: the outputs of all sweeps, each
/// entered once.
Formula buffers_of(const Plan& plan, const PlacementStats& stats, Column column);

/// Fills Step::stream, Step::model, Plan::buffer_bytes and Plan::model_buffer_bytes.
void assign_costs(Plan& plan, const PlacementStats& stats);

}  // namespace kasen::optimizer
