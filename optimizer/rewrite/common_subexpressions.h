/// @file
/// Pass `common-subexpressions`: computes equal statements once.
#pragma once

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Drops statements that compute what an earlier one of their block, or of a block around it, has computed: by the same
/// operation with the same function (Statement::function) and reducer, from operands that are equal in the same sense,
/// to the same type and space. Products of both directions of a symmetric matrix (PlacementStats::Matrix::symmetric)
/// are equal if all else is: the non-zero (i, j) that one goes over has a mirror image (j, i) of the same value. Of
/// enclosing blocks the results of products, reductions and applies are always read; those of element work only if
/// reading them costs no bytes (recomputation.h); sources never, as they are made again for free. Of two equal sources
/// in a block one goes if both are stored or neither.
/// Before: loops in normal form or not. After: no two equal products, reductions or applies in a block and those around
/// it; several live-outs may name one value.
void merge_common_subexpressions(Program& program, const PlacementStats& stats);

}  // namespace kasen::optimizer
