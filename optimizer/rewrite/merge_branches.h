/// @file
/// Pass `merge-branches`: makes one branch of several with one test.
#pragma once

#include "kasen/base/program.h"

namespace kasen::optimizer {

/// Appends the sides of a branch to those of an earlier one in the same block whose test is the same value, so that
/// their work can share sweeps and exchanges. The joined branch stands where the earlier one stood; what stands between
/// the two and does not read the earlier one's results comes before it. Branches stay apart if the later one reads what
/// is made of the earlier one's results outside of both, or if one has an effect. Nothing is computed that was not
/// before, and nothing more often.
/// Before: loops in normal form. After: no two branches of a block that could be joined are left.
void merge_branches(Program& program);

}  // namespace kasen::optimizer
