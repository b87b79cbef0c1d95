/// @file
/// What makes two programs the same to the plan cache.
#pragma once

#include <string>

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen {

/// A text that is equal for programs of equal structure: statements, types, laws, placement, and the states of what is
/// alive. Of captures and plain values only which functions have equal ones, never the bytes; nor source lines.
std::string structure_key(const Program& program, const PlacementStats& stats);

}  // namespace kasen
