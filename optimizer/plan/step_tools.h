/// @file
/// What a step reads and defines, for the passes that work on the step tree.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Values that the step, with all it contains, reads but does not define.
std::set<ValueId> reads_of(const Step& step);

/// Values the step itself defines for its block: outputs, results, what moves.
std::vector<ValueId> defined_by(const Step& step);

/// Vectors that the sweep's MxVs read all through the walk, not just where a tile is.
std::set<ValueId> read_at_random(const Sweep& sweep);

/// Nothing but MxVs that pull.
bool only_pulls(const Sweep& sweep);

/// Makes a launch that pulls push.
void push_instead(Launch& launch, MatrixId matrix);

/// Calls `visit` for every step, containing steps first, in order.
void for_each_step(std::vector<Step>& steps, const std::function<void(Step&)>& visit);
void for_each_step(const std::vector<Step>& steps, const std::function<void(const Step&)>& visit);

}  // namespace kasen::optimizer
