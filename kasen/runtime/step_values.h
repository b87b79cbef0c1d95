/// @file
/// The values that steps of a plan write.
#pragma once

#include <set>
#include <vector>

#include "optimizer/plan/plan.h"

namespace kasen::runtime {

/// All values that the steps, or steps within them, write; arguments of loops included.
std::set<ValueId> values_defined(const std::vector<optimizer::Step>& steps);

}  // namespace kasen::runtime
