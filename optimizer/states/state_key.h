/// @file
/// Keys by which states are compared, as different decisions often come to the same ones.
#pragma once

#include <cstdint>
#include <vector>

#include "optimizer/states/find_states.h"

namespace kasen::optimizer {

/// A key that is equal for two results of one StateFinder if and only if they are equal.
std::vector<std::uint32_t> key_of(const FoundStates& found);

}  // namespace kasen::optimizer
