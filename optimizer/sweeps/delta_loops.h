/// @file
/// Pass `delta-loops`: finds the loops whose iterations may visit only what has changed.
#pragma once

#include <cstddef>
#include <vector>

#include "kasen/base/placement_stats.h"
#include "kasen/base/program.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Delta iteration, as of dataflow systems. A loop qualifies if its body is products of active elements, then one sweep
/// of element work on masters alone, and besides exchanges and work on Shareds; if that sweep reads nothing but the
/// products, what does not change in the loop, and the arguments that it itself carries; if each of its stored outputs
/// replaces an argument; if it depends on no Shared that changes (Operation::varies); and if its reductions have the
/// same bits in any order. Where at an element neither the arguments have changed in the iteration before nor a product
/// has given anything, now or before, all that the sweep makes is what it made before.
/// Its products settle only if they are one, or two that follow each other, and, but where they connect, the space has
/// at most half as many replicas as masters, or 1,024 in all.
/// Before: liveness. After: Sweep::delta and Launch::delta_product are set, Operation::settles says what is done;
/// arguments that are replaced live until then.
void find_delta_loops(Plan& plan, const std::vector<ReducerInfo>& reducers, const PlacementStats& stats);
std::size_t count_delta_loops(const Plan& plan);
/// How many of them find what is connected (Operation::connects).
std::size_t count_connecting_loops(const Plan& plan);

/// Keeps element work that stands in a loop beside products of active elements on masters (Statement::on_masters): work
/// on partial results, which may save a gather, would be a sweep between. Returns how many loops have such products.
std::size_t keep_on_masters(Program& program);

}  // namespace kasen::optimizer
