/// @file
/// Programs in states told apart: different decisions often come to the same.
#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/states/stated_program.h"

namespace kasen::optimizer {

/// Equal for two results of insert_transitions on one program if and only if they have the same transitions, rules
/// and states.
std::vector<std::uint32_t> key_of(const StatedProgram& stated);

}  // namespace kasen::optimizer
