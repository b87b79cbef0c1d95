/// @file
/// Personalised PageRank: the ranks of vertices on a walk that follows edges and now and then restarts at its source.
#pragma once

#include <span>
#include <vector>

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

struct PersonalRanks {
  std::vector<kasen::Vector<double>> ranks;  ///< of each source
  kasen::Shared<double> change;  ///< the largest change of one source's ranks, in sum, in the last iteration
};

/// Local: records the iteration, one loop for all sources, whose products share the matrix. Ranks of a source sum to 1,
/// less what is lost at vertices without out-edges.
/// @param redistribute whether what would be lost begins again at the source
PersonalRanks personalised_pagerank(const kasen::Matrix<kasen::Pattern>& G, std::span<const kasen::GlobalIndex> sources,
                                    double damping, bool redistribute, const Stopping& stopping);

}  // namespace apps
