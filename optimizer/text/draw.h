/// @file
/// Plans as drawings.
#pragma once

#include <string>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// A Graphviz drawing: values with their states as nodes, sweeps as boxes, transitions as dashed arrows.
std::string draw(const Plan& plan);

}  // namespace kasen::optimizer
