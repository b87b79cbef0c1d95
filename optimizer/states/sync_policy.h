/// @file
/// The policies `--sync eager` and `--sync lazy`, as decisions about storage states.
#pragma once

#include "optimizer/states/stated_program.h"
#include "optimizer/states/value_facts.h"

namespace kasen::optimizer {

/// The decisions of `--sync eager` (pre-reduced vectors are made consistent right after their producer) or `lazy`
/// (where no rule of Table 1 fits any more), both keeping C as C, given the states of loop arguments and branch
/// results.
Decisions follow_policy(const Program& program, const ValueFacts& facts, Decisions decisions, bool lazy);

}  // namespace kasen::optimizer
