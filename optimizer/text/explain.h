/// @file
/// Text of a plan with its costs, as `--explain` prints it.
#pragma once

#include <cstdint>
#include <string>

#include "kasen/base/placement_stats.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// The text of print_steps with each step's costs, in symbols and as numbers, and the buffers.
/// @param threads of each worker; of several, sweeps that they cannot share are named.
std::string explain(const Plan& plan, const PlacementStats& stats, std::uint32_t threads = 1);

}  // namespace kasen::optimizer
