/// @file
/// Check of a program that did not come from the recorder: whether it is one that the recorder could have made.
#pragma once

#include <string>

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// The first thing that is wrong with the program, with its place: "top.statements[3]: ...". Empty if nothing is:
/// every value is made once and before it is read, operands are of the kinds, spaces and numbers that their operation
/// takes, loops and branches yield what they carry. Requires that identifiers are within their tables.
std::string problem_of(const Program& program, const PlacementStats& stats);

}  // namespace kasen::optimizer
