/// @file
/// Pass `sparse-exchanges`: of which vectors only the elements travel that say something.
#pragma once

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// In a search most elements of what travels are at an identity: of what a product of active elements has made, where
/// it has reached nothing, and of a frontier. An exchange becomes sparse if all that it moves is of these two kinds, in
/// elements of one size: frontiers each with their active elements, which then need not be sent. As only the sender
/// knows how long a message is, it goes to a neighbour, and not by one call of all workers.
/// Before: routes are chosen. After: Exchange::sparse, Move::active and the costs of these exchanges are set.
/// @param routes all_to_all: none becomes sparse
void thin_exchanges(Plan& plan, const PlacementStats& stats, Routes routes);

}  // namespace kasen::optimizer
