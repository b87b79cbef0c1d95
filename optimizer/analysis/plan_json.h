/// @file
/// The plan as JSON for drawings: the tree of its steps, with the values that they read and make.
#pragma once

#include "optimizer/plan/plan.h"
#include "optimizer/record/json_reader.h"

namespace kasen::optimizer {

/// The plan's tree; docs/report.md names the fields under `trees`. Values have the names that headline() and details()
/// (optimizer/text/print.h) give them step by step.
Json plan_json(const Plan& plan);

}  // namespace kasen::optimizer
