/// @file
/// Pass `drop-empty`: removes transitions that move nothing.
#pragma once

#include <vector>

#include "kasen/base/placement_stats.h"
#include "optimizer/states/stated_program.h"

namespace kasen::optimizer {

/// Removes gathers and scatters for roles that have no replicas on any worker: there the three states are one. Their
/// readers read the operand, whose state is called partitioned from then on. The plan then depends on the number of
/// workers, which is why greedy plans keep such transitions.
/// Before: a program in states. After: the same, and every transition that is left moves something.
void drop_empty_transitions(StatedProgram& stated, const PlacementStats& stats);

/// The same of those for rows of these matrices alone, of which matrices_in_one_pass() knows that they have none on any
/// number of workers. @param matrices by MatrixId
void drop_transitions_of_rows(StatedProgram& stated, const PlacementStats& stats, const std::vector<bool>& matrices);

}  // namespace kasen::optimizer
