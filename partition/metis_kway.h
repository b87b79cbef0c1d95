/// @file
/// METIS's k-way partitioning of a graph.
#pragma once

#include <cstdint>
#include <vector>

namespace kasen::partition {

/// A graph as METIS takes it: both directions of every edge. Empty vectors are taken as all ones.
struct MetisGraph {
  std::vector<std::int32_t> begin, neighbour;
  std::vector<std::int32_t> edge_weights;
  std::vector<std::int32_t> loads;  ///< `constraints` for each vertex
  std::vector<std::int32_t> sizes;  ///< what a copy of each vertex counts; not empty: least volume, else least cut
  int constraints = 1;
};

/// Local; deterministic: the seed is fixed. The part of each vertex, for the least cut or communication volume; no
/// part has more than 1.05 of its share of any load, if METIS finds a way. @throws Error
std::vector<std::int32_t> metis_kway(MetisGraph graph, int parts);

}  // namespace kasen::partition
