/// @file
/// Single-source shortest paths over weighted edges.
#pragma once

#include "kasen/kasen.h"

namespace apps {

struct Paths {
  kasen::Vector<double> distance;             ///< sum of weights from the source; infinity: not reached
  kasen::Shared<kasen::GlobalIndex> reached;  ///< how many vertices, the source included
};

/// Local: records the search. Weights are at least 0. A distance is that of the best path, whose weights are added from
/// the source on; it does not depend on the number of workers. The loop is that of Bellman-Ford, and one to a fixpoint
/// (docs/loops.md): each worker goes on by itself, the nearest vertices first.
/// @param undirected edges are followed in both directions
Paths sssp(const kasen::Matrix<double>& G, kasen::GlobalIndex source, bool undirected);

/// Local: records a walk over all edges, and where some have length 0 a loop. The vertex before each on a shortest
/// path: the smallest of those that are nearer to the source. If there is none, as along edges of length 0, the
/// smallest of those as far from the source that have been given a parent in the fewest rounds. Parents lead to the
/// source, which is its own parent; -1: not reached.
/// @param distance by sssp, of the same source and directions
kasen::Vector<kasen::GlobalIndex> parents(const kasen::Matrix<double>& G, kasen::GlobalIndex source, bool undirected,
                                          const kasen::Vector<double>& distance);

}  // namespace apps
