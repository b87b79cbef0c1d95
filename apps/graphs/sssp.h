/// @file
/// Single-source shortest paths over weighted edges (the nearest first, in buckets; the optimizer leaves out what
/// has not changed).
#pragma once

#include "kasen/kasen.h"

namespace apps {

struct Paths {
  kasen::Vector<double> distance;             ///< sum of weights from the source; infinity: not reached
  kasen::Shared<kasen::GlobalIndex> reached;  ///< how many vertices, the source included
};

/// So many mean weights make a good `delta`: on grids 10 to 20 were best, on R-MAT graphs then all is in one bucket.
inline constexpr double kMeansInBucket = 16;

/// Local: records the search. Weights are at least 0. A distance is that of the best path, whose weights are added from
/// the source on. It depends neither on the number of workers, nor on `delta`. In each superstep vertices that have
/// come nearer tell their neighbours, if they are not farther than a bound; the others wait. When none is left, the
/// bound moves on to `delta` beyond the nearest that waits (near-far sets, Davidson and others 2014, after the
/// delta-stepping of Meyer and Sanders 2003). With an infinite `delta` that is Bellman-Ford: as many supersteps as the
/// longest of the shortest paths of fewest edges has edges, and three more.
/// @param undirected edges are followed in both directions
/// @param delta at least 0
Paths sssp(const kasen::Matrix<double>& G, kasen::GlobalIndex source, bool undirected, double delta);

/// Local: records a walk over all edges, and where some have length 0 a loop. The vertex before each on a shortest
/// path: the smallest of those that are nearer to the source. If there is none, as along edges of length 0, the
/// smallest of those as far from the source that have been given a parent in the fewest rounds. Parents lead to the
/// source, which is its own parent; -1: not reached.
/// @param distance by sssp, of the same source and directions
kasen::Vector<kasen::GlobalIndex> parents(const kasen::Matrix<double>& G, kasen::GlobalIndex source, bool undirected,
                                          const kasen::Vector<double>& distance);

}  // namespace apps
