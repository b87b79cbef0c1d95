/// @file
/// Struct RankDefinition: which of the several things that are called PageRank.
#pragma once

namespace apps {

struct RankDefinition {
  double damping = 0.85;      ///< the probability to follow an edge
  bool normalize = false;     ///< ranks sum to 1, else to the number of vertices
  bool redistribute = false;  ///< vertices without out-edges spread their rank over all, or give it back to the source
};

}  // namespace apps
