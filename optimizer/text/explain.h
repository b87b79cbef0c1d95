/// @file
/// Text of a plan with its costs, as `--explain` prints it.
#pragma once

#include <string>

#include "kasen/base/placement_stats.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// The text of print_steps with each step's costs, in symbols and as numbers, and the buffers.
std::string explain(const Plan& plan, const PlacementStats& stats);

}  // namespace kasen::optimizer
