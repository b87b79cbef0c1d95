/// @file
/// Single-source shortest paths over weighted edges (Bellman-Ford; the optimizer leaves out what has not changed).
#pragma once

#include "kasen/kasen.h"

namespace apps {

struct Paths {
  kasen::Vector<double> distance;             ///< sum of weights from the source; infinity: not reached
  kasen::Vector<kasen::GlobalIndex> parent;   ///< the vertex before it; the source is its own parent; -1: not reached
  kasen::Shared<kasen::GlobalIndex> reached;  ///< how many vertices, the source included
};

/// Local: records the search. Weights are at least 0. A distance is that of the best path, whose weights are added from
/// the source on. Of paths of equal length that of fewest edges is taken, and of these the one whose last vertex but
/// one has the smallest index. Neither depends on the number of workers. As many supersteps as the longest of these
/// paths has edges, and a last one that changes nothing.
/// @param undirected edges are followed in both directions
Paths sssp(const kasen::Matrix<double>& G, kasen::GlobalIndex source, bool undirected);

}  // namespace apps
