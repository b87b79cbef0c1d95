/// @file
/// Insertion of gathers and scatters into a program, as statements, where storage states need them.
#pragma once

#include "optimizer/states/find_states.h"
#include "optimizer/states/stated_program.h"

namespace kasen::optimizer {

/// Inserts the transitions that a StateFinder of the same program has found, each in the block that defines its
/// operand.
StatedProgram insert_transitions(const Program& program, FoundStates found);

}  // namespace kasen::optimizer
