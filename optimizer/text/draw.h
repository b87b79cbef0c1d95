/// @file
/// Drawings of plans for Graphviz.
#pragma once

#include <string>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// The plan in the DOT language: values with their states as nodes, sweeps as boxes, gathers and scatters as bold
/// arrows, reductions of Shareds as dashed ones.
std::string draw(const Plan& plan);

}  // namespace kasen::optimizer
