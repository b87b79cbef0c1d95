/// @file
/// Pass `liveness`: finds the step after which every stored vector dies.
#pragma once

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// What is defined in a block of statements dies in it unless yielded; live-ins that others still hold never die.
/// Before: steps, live_in, results and values. After: class_of says what is stored (0; real classes come later) and
/// what is not (kNotStored); Step::dies, Loop::dies_at_entry and Plan::unused are filled.
void find_liveness(Plan& plan);

}  // namespace kasen::optimizer
