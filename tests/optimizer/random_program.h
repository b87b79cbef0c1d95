/// @file
/// Random programs for what must hold for all.
#pragma once

#include "tests/optimizer/program_builder.h"

namespace kasen::optimizer::tests {

/// Random statements in nested blocks over the spaces and matrices of small_world, with copies, equal statements and
/// loop-invariant work among them. The same seed, the same program.
/// @param keys it follows keys, for a world_of_keys().
ProgramBuilder random_program(unsigned seed, bool keys = false);

}  // namespace kasen::optimizer::tests
