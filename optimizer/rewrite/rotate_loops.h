/// @file
/// Pass `rotate`: rotates loops whose condition is likely (the paper's "likely to be true", section 5.4).
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// In every loop whose condition is likely: the element work on arguments and invariants that feeds an mxv or mxvt is
/// cloned once before the loop and once at the body's end, so that it can join the sweep of the previous iteration's
/// last operations; what it computes is carried. What is computed for an iteration that never comes is dropped, so
/// only total functions are rotated. Inner loops first, one level.
/// Before: loops in normal form. After: the same; statements may be there twice, or be read by nobody.
void rotate_loops(Program& program);

}  // namespace kasen::optimizer
