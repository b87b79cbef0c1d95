/// @file
/// Pass `drop-empty`: removes transitions that move nothing.
#pragma once

#include "kasen/base/placement_stats.h"
#include "optimizer/states/stated_program.h"

namespace kasen::optimizer {

/// Removes gathers and scatters for roles that have no replicas on any worker: there the three states are one. Their
/// readers read the operand, whose state is called partitioned from then on. The plan then depends on the number of
/// workers, which is why greedy plans keep such transitions as boundaries.
/// Before: a program in states. After: the same, and every transition that is left moves something.
void drop_empty_transitions(StatedProgram& stated, const PlacementStats& stats);

}  // namespace kasen::optimizer
