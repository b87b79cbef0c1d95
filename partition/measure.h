/// @file
/// Measurement of PlacementStats from what each worker holds, in one collective.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/state.h"
#include "partition/index_space.h"

namespace kasen::partition {

/// The sets of roles that are measured: every non-empty one while roles are told apart; else the single ones and all
/// together.
std::vector<RoleSet> measured_sets(const RoleSet& roles);

/// A space, and the statistics to fill in.
struct MeasuredSpace {
  IndexSpace* space;
  PlacementStats::Space* stats;
};

/// A matrix of which this worker holds so many non-zeros, and the statistics to fill in.
struct MeasuredMatrix {
  std::uint64_t nonzeros;
  PlacementStats::Matrix* stats;
};

/// Collective. Fills in the statistics of `spaces`, lists their sets of roles, and fills in nonzeros and imbalance of
/// the matrix, if there is one. Cost: one all-gather of a few words per set of roles.
void measure(const comm::Communicator& communicator, const std::vector<MeasuredSpace>& spaces,
             std::optional<MeasuredMatrix> matrix);

}  // namespace kasen::partition
