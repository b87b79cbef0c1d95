/// @file
/// What makes two programs the same to the plan cache.
#pragma once

#include <string>

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen {

/// A text that is equal for programs of equal structure: statements, types, laws, placement, and the states of what is
/// alive. Never what lambdas captured, nor source lines.
std::string structure_key(const Program& program, const PlacementStats& stats);

}  // namespace kasen
