/// @file
/// Single-source shortest paths over weighted edges (the nearest first, in buckets; the optimizer leaves out what
/// has not changed).
#pragma once

#include <optional>

#include "kasen/kasen.h"

namespace apps {

struct Paths {
  kasen::Vector<double> distance;             ///< sum of weights from the source; infinity: not reached
  kasen::Vector<kasen::GlobalIndex> parent;   ///< the vertex before it; the source is its own parent; -1: not reached
  kasen::Shared<kasen::GlobalIndex> reached;  ///< how many vertices, the source included
};

/// Local: records the search. Weights are at least 0. A distance is that of the best path, whose weights are added from
/// the source on. Of paths of equal length that of fewest edges is taken, and of these the one whose last vertex but
/// one has the smallest index. Neither depends on the number of workers, nor on `delta`. In each superstep vertices
/// that have come nearer tell their neighbours, if they are not farther than a bound; the others wait. When none is
/// left, the bound moves on to `delta` beyond the nearest that waits (near-far sets, Davidson and others 2014, after
/// the delta-stepping of Meyer and Sanders 2003). With an infinite `delta` that is Bellman-Ford: as many supersteps as
/// the longest of these paths has edges, and three more.
/// @param undirected edges are followed in both directions
/// @param delta at least 0; by default 16 times the mean weight
Paths sssp(const kasen::Matrix<double>& G, kasen::GlobalIndex source, bool undirected,
           std::optional<double> delta = std::nullopt);

}  // namespace apps
