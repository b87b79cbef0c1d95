/// @file
/// Clusters of a graph by size-constrained label propagation (Meyerhenke, Sanders and Schulz 2014), and the graph of
/// them: the coarsening of a multilevel partitioner.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/graph_share.h"
#include "partition/team.h"

namespace kasen::partition {

/// Collective. A cluster for each vertex, by local index, remote ones included: the global index of some vertex. In
/// rounds, vertices join the neighbouring cluster that they are joined to most and that has room for them; what stays
/// alone is then put together with others that would like the same one. No cluster of several vertices has a load of
/// more than `most_load`. The same for any number of workers: vertices of a part of a round decide by what was before,
/// and requests for a cluster are granted in the order of a hash.
/// Cost: a few passes over the edges; per pass and vertex some 60 bytes sent, 12 for each remote one.
std::vector<std::uint32_t> find_clusters(const Team& team, const GraphShare& graph, std::uint64_t most_load);

/// The graph of clusters.
struct CoarseGraph {
  GraphShare share;
  std::vector<std::uint32_t> vertex;  ///< of each local index of the finer graph; kNoLabel if it has no edges
};

/// Collective. Makes a vertex of each cluster, numbered in the order of clusters. Isolated vertices are left out.
/// @param replicas whether the weight of an edge is the number of replicas that the vertices of either cluster would
///        have in a part with the other one, rather than the sum of weights
CoarseGraph contract(const Team& team, const GraphShare& graph, const std::vector<std::uint32_t>& clusters,
                     bool replicas);

}  // namespace kasen::partition
