/// @file
/// Whether a graph has clusters, such that label propagation is worth its time.
#pragma once

#include <cstdint>

#include "kasen/base/entries.h"
#include "partition/partitioner.h"
#include "partition/team.h"

namespace kasen::partition {

/// Of the edges that are looked at, one in so many must be within clusters.
inline constexpr std::uint64_t kClustered = 10;

/// Collective. Whether at least one edge in kClustered is within a cluster, of those that touch one: some vertices, by
/// a hash, make themselves a cluster, and a few times over, all others join the one of a neighbour. Neighbourhoods grow
/// so, most of whose edges are inside if the graph is a mesh or has communities. In a random graph they are trees, and
/// most edges leave them; so edges by which a vertex has joined are left out, unless half of all edges are inside, as
/// in a path. Vertices of far more edges than the mean join none, as all neighbourhoods meet there. The graph is that
/// of graph_of(), in which each entry counts. The same for any number of workers and any spread.
/// Cost: at most six passes over the entries and five all-reduces of 8 bytes an element; memory 16 bytes an element.
/// @pre rows and columns are fewer than 2^31
bool has_clusters(const Team& team, const Entries& entries, const Shape& shape);

}  // namespace kasen::partition
