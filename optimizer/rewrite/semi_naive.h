/// @file
/// Pass `semi-naive`: gives products in loops the set of those elements of their vector that matter.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Semi-naive evaluation, as of Datalog, of two kinds of loops over vectors with an idempotent reducer R (min, max,
/// and, or; in the first kind also one of the program's, applied as a function and as a reducer):
/// - x = R(x, mxv(f, R, M, v)) with v made of x element by element: what an element has contributed once is in x for
///   good, so only those count that have changed since the last iteration;
/// - mxv(first, R, M, v) with v = choose(.., .., the identity of R) or any v of bool, or mxv(f, R, M, v) with an f that
///   is said to keep the identity: a frontier. Elements that are the identity contribute nothing.
/// The product gets a second vector, a byte for each element: 1 where it is active. Whether it then walks the matrix or
/// only what the active elements reach is for each run of its sweep to decide. Results are the same but for the sign of
/// zeros.
/// Before: loops in normal form, not rotated. After: the same; such products have two vectors, all others one.
void find_active_elements(Program& program);

}  // namespace kasen::optimizer
