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

/// The costs of a sweep, an exchange or a scalar step. Zero for loops and branches: their steps count for themselves.
StepFormulas formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats, Column column);

/// The values of these formulas for a placement, without buffer_bytes, which are known of a whole plan only. Planning
/// asks for them of every candidate: no formula is made on the way.
Counts counts_of(const Plan& plan, const Step& step, const PlacementStats& stats, Column column);

/// The stream costs of a run of the sweep that pushes its active elements, in A and E; empty if it has none. In both
/// kinds of runs the workers first add up how many entries are active. Of a sparse exchange: its costs, where it sends
/// A elements, and E bytes say which.
StepFormulas active_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats);

/// The stream costs of a run over a batch of a matrix, in its E non-zeros; empty if the step is no sweep over one.
/// Those of formulas_of() are of a batch with as many as there are on average.
StepFormulas batch_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats);

/// The stream costs of a run in a delta iteration: of a product in A active elements and their E non-zeros, of the
/// element work that follows it in A elements that it visits; empty if the sweep is not of a delta loop.
StepFormulas delta_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats);
/// Those of a run over all beside delta iterations: of a product after one, of element work before one, which notes
/// what it changes; empty if the sweep is not of a delta loop.
StepFormulas known_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats);

/// Beside those of runs that push, the stream costs of a product that goes on from what it improves, from A elements
/// with E non-zeros in all; empty if it does not.
StepFormulas settled_formulas_of(const Plan& plan, const Step& step, const PlacementStats& stats);

/// The values of the formulas for a placement, without buffer_bytes, which are known of a whole plan only.
Counts evaluate(const StepFormulas& formulas, const PlacementStats& stats);

/// Bytes of the plan's buffers. stream: its buffer classes, and packing buffers. model: the outputs of all sweeps,
/// each entered once.
Formula buffers_of(const Plan& plan, const PlacementStats& stats, Column column);

/// Fills Step::stream and Plan::buffer_bytes, by which candidates are compared.
void assign_stream_costs(Plan& plan, const PlacementStats& stats);

/// Fills all costs of the plan that is taken: Step::stream, Step::model, Step::active, Step::delta, Step::settled,
/// Step::known, Plan::buffer_bytes and Plan::model_buffer_bytes.
void assign_costs(Plan& plan, const PlacementStats& stats);

}  // namespace kasen::optimizer
