/// @file
/// The fingerprint of a plan: a hash that must be equal on all workers before they run it.
#pragma once

#include <cstdint>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// The 64-bit FNV-1a hash of print_steps(plan), of the functions, types and results it leaves out, and of the costs.
std::uint64_t fingerprint(const Plan& plan);

}  // namespace kasen::optimizer
