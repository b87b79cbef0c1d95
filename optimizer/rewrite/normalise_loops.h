/// @file
/// Pass `normalise-loops`: turns while (condition) body into while (argument) body.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Clones every loop's condition once before the loop and once at the body's end, inner loops first; what the
/// condition computes is carried. All later passes rely on it; it cannot be switched off.
/// Before: loops as they were recorded. After: every while_ body has condition_length 0, no condition_yields, and a
/// test that is one of its arguments, which is the normal form.
void normalise_loops(Program& program);

}  // namespace kasen::optimizer
