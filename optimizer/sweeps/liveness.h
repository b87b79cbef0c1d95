/// @file
/// Pass `liveness`: after which step every stored vector dies.
#pragma once

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Requires steps, live_in, results and values. Fills class_of (0: stored, kNotStored; real classes come later),
/// Step::dies, Loop::dies_at_entry and Plan::unused. What is defined in a block dies in it, save for yields; live-ins
/// that others still hold never die.
void find_liveness(Plan& plan);

}  // namespace kasen::optimizer
