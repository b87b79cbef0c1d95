/// @file
/// Refinement of parts by label propagation: vertices move to the part that they are joined to most, while it has room.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/graph_share.h"
#include "partition/team.h"

namespace kasen::partition {

/// Parts of vertices, by local index, and what they have got.
struct Parts {
  std::vector<std::uint32_t> of;     ///< by local index, remote ones included; kNoLabel: none yet
  std::vector<std::uint64_t> loads;  ///< by part, on all workers together
};

/// Collective. Puts vertices that have no part where there is least, in the order of their indices.
void fill_up(const Team& team, const GraphShare& graph, Parts& parts);

/// Collective. Moves vertices to the parts that they are joined to most, for as long as that pays, and out of parts
/// with more than `most_load`; no part gets more than that. The same for any number of workers.
void refine(const Team& team, const GraphShare& graph, std::uint64_t most_load, Parts& parts);

}  // namespace kasen::partition
