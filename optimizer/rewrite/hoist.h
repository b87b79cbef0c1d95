/// @file
/// Pass `hoist`: moves the invariants of a loop before it, where they are computed once.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Moves statements whose operands do not change in a loop before the loop; inner loops first, so that they may leave
/// several. Only what may run although the body may not: what is in the condition, and, of loops whose condition is
/// likely, total functions in the body. Nothing leaves the side of a branch.
///
/// Products, reductions and applies always leave, and take along what they read. Element work that hangs together
/// leaves if that costs an iteration no bytes (recomputation.h); sources never do on their own, as they are made again
/// for free. What leaves with another statement and is cheaper to make again has a copy stay behind.
/// Before: loops not in normal form, so that conditions are told from bodies. After: the same, and no product,
/// reduction or apply that may leave a loop is in it.
void hoist_invariants(Program& program);

}  // namespace kasen::optimizer
