/// @file
/// Keys by which programs in states are compared, as different decisions often come to the same program.
#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/states/stated_program.h"

namespace kasen::optimizer {

/// A key that is equal for two results of insert_transitions on one program if and only if they have the same
/// transitions, rules and states.
std::vector<std::uint32_t> key_of(const StatedProgram& stated);

}  // namespace kasen::optimizer
