/// @file
/// Pass `fuse`: statements become steps (the paper's section 5.4, steps 1, 2 and 5).
#pragma once

#include "optimizer/plan.h"
#include "optimizer/states.h"

namespace kasen::optimizer {

struct FusionOptions {
  bool fuse = true;      ///< off: every primitive alone
  bool join_mxv = true;  ///< several MxVs of one matrix and direction in one sweep
};

/// Grows one fusible sub-DDAG at a time: starts with the first ready statement and adds every further one that is
/// ready and fits, until none does. When no computation is ready, all transitions that are travel in one exchange;
/// loops and branches come when nothing else can. Sources that need not be stored are made again in every sweep that
/// reads them. Launches have their ranges; places, storage and costs are not assigned yet.
/// @return false if transitions and readers wait for each other: the states are not executable.
bool grow_sweeps(const StatedProgram& stated, const FusionOptions& options, Plan& plan);

}  // namespace kasen::optimizer
