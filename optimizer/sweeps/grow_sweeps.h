/// @file
/// Pass `sweeps`: turns the statements of a program into the steps of a plan (the paper's section 5.4, steps 1, 2, 5).
#pragma once

#include "optimizer/plan/plan.h"
#include "optimizer/states/stated_program.h"
#include "optimizer/sweeps/grouping.h"

namespace kasen::optimizer {

/// Grows one sweep (the paper's fusible sub-DDAG) at a time: starts with the first ready statement and adds every
/// further one that is ready and fits, until none does, but for element work that had better wait for its readers
/// (waiting_work.h). When no other computation is ready, all ready transitions travel in one exchange; loops and
/// branches come when nothing else can. Sources that need not be stored are made again in every sweep that reads them.
/// Before: a program in states, and a plan that has its values, states, live-ins and results. After: every statement is
/// in one step, or in each sweep that reads it; launches have their ranges. Places, buffers, walks and costs are not
/// assigned.
/// @param grouping decides what shares a sweep instead; a sweep runs when all it waits for is there. Of statements of
/// one sweep that do not fit each other, the later ones come in a sweep of their own.
/// @return false if transitions, sweeps and readers wait for each other: the states or the grouping are not executable.
bool grow_sweeps(const StatedProgram& stated, const FusionOptions& options, Plan& plan,
                 const Grouping* grouping = nullptr);

}  // namespace kasen::optimizer
