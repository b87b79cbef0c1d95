/// @file
/// Plans with their costs, as `--explain` prints them.
#pragma once

#include <string>

#include "kasen/base/placement_stats.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// print_steps with each step's formulas, in symbols and evaluated, and the buffers.
std::string explain(const Plan& plan, const PlacementStats& stats);

}  // namespace kasen::optimizer
