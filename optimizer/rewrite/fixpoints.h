/// @file
/// Pass `fixpoints`: finds loops to a fixpoint, whose products may go on from what they improve.
#pragma once

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Chaotic iteration (Chazan and Miranker 1969; Cousot 1977). A loop over x = R(x, mxv(f, R, M, x)), R one of min, max,
/// and, or, of bits too, that ends when x stays as it is, ends at the least fixpoint above the first x, in whatever
/// order elements change and as long as any can, if f is monotone: f(R(a, b)) = R(f(a), f(b)). So does one in which R
/// combines two such products of x, as along both directions of edges. These products are marked (Operation::settles)
/// if nothing else of the loop shows how many iterations it took: no effect, no inner loop or branch, and nothing is
/// carried but x, what is active of it, how much has changed, and the test. If f gives an element as it is, and x is
/// combined with products of both directions of one matrix, or with one of a symmetric matrix, then all elements that
/// non-zeros connect end at R over them (Operation::connects).
/// Before: loops in normal form, not rotated, with active elements. After: the same.
void find_fixpoints(Program& program, const PlacementStats& stats);

}  // namespace kasen::optimizer
