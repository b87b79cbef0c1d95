/// @file
/// PageRank: Algorithm 1 of the paper, and the textbook's definition that sums to one.
#pragma once

#include "apps/common/stopping.h"
#include "apps/pagerank/rank_definition.h"
#include "kasen/kasen.h"

namespace apps {

struct Ranks {
  kasen::Vector<double> pr;
  kasen::Shared<double> change;  ///< by how much the last iteration changed them, in sum
};

/// Local: records the iteration, which begins with all vertices alike: Algorithm 1 of the paper, or the textbook's if
/// ranks are to sum to 1 or are redistributed. Element i, j of G is an edge from j to i.
Ranks pagerank(const kasen::Matrix<kasen::Pattern>& G, const RankDefinition& definition, const Stopping& stopping);

}  // namespace apps
