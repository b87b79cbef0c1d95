/// @file
/// A hash of a plan that every worker must agree on before running it.
#pragma once

#include <cstdint>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// 64-bit FNV-1a hash of print_steps(plan), of the functions, types and results it leaves out, and of the costs.
std::uint64_t fingerprint(const Plan& plan);

}  // namespace kasen::optimizer
