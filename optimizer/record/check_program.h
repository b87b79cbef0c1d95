/// @file
/// Whether a program that did not come from the recorder is one.
#pragma once

#include <string>

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// What is wrong with the program as the recorder would have written it, with the place: "top.statements[3]: ...".
/// Empty if nothing: every value is made once and before it is read, operands are of the kinds, spaces and numbers that
/// their operation takes, loops and branches yield what they carry. Identifiers must be within their tables.
std::string problem_of(const Program& program, const PlacementStats& stats);

}  // namespace kasen::optimizer
