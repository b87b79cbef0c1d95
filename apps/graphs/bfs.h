/// @file
/// Breadth-first search: the distance of every vertex in edges, and a tree of shortest paths.
#pragma once

#include <cstdint>

#include "kasen/kasen.h"

namespace apps {

struct Search {
  kasen::Vector<std::int32_t> level;          ///< edges from the source; -1: not reached
  kasen::Vector<kasen::GlobalIndex> parent;   ///< see bfs(); the source is its own parent; -1: not reached
  kasen::Shared<kasen::GlobalIndex> reached;  ///< how many vertices, the source included
};

/// Local: records the search. A vertex's parent is the one of smallest index among its neighbours of the level before,
/// whatever the number of workers. One superstep a level, and a last one that finds nothing; from the 65th level on,
/// as many as it takes from worker to worker (docs/loops.md, "Fixpoints").
/// @param undirected edges are followed in both directions
Search bfs(const kasen::Matrix<kasen::Pattern>& G, kasen::GlobalIndex source, bool undirected);

}  // namespace apps
