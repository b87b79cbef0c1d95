/// @file
/// What one plan would cost where its data were placed otherwise, as on other numbers of workers.
#pragma once

#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "kasen/base/program.h"
#include "optimizer/plan/plan.h"
#include "optimizer/record/json_reader.h"

namespace kasen::optimizer {

/// Costs of the plan for each of the placements: the values of the symbols that all of them have, and of
/// each step, in the order of Analysis' blocks, the predicted time and the messages of vectors.
/// docs/analyzer.md names the fields under `what_if`. @param program that it plans
Json what_if_json(const Plan& plan, const Program& program, const std::vector<PlacementStats>& placements,
                  const Options& options, const Profile& profile);

}  // namespace kasen::optimizer
