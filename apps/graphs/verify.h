/// @file
/// Independent checks of the results of the graph suite: plain loops over the edges as they stand in the file. All are
/// collective, take whole vectors by global index on every worker, and need as much memory again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/graphs/edges.h"

namespace apps {

/// Checks a search as Graph500 does: the source is its own parent on level 0; no edge from a reached vertex leads to
/// one that is not reached, or up by more than one level; every other reached vertex has an edge from its parent, which
/// is one level lower; vertices that are not reached have no parent.
Finding verify_bfs(const Edges& edges, kasen::GlobalIndex source, std::span<const std::int32_t> level,
                   std::span<const kasen::GlobalIndex> parent, bool undirected);

/// Checks that no edge makes a distance shorter; every reached vertex but the source, at 0, has an edge from its parent
/// that makes exactly its distance, and its parents lead to the source; others are infinitely far.
Finding verify_sssp(const Edges& edges, kasen::GlobalIndex source, std::span<const double> distance,
                    std::span<const kasen::GlobalIndex> parent, bool undirected);

/// Checks that both ends of every edge have one label, labels are the smallest vertices of their components, and there
/// are as many as a union-find structure counts.
Finding verify_components(const Edges& edges, std::span<const kasen::GlobalIndex> label, kasen::GlobalIndex count);

/// Checks that hubs are the normalised sums of the authorities they point to, to rounding; one more iteration changes
/// authorities by at most twice `change`, the last change. Where that is infinite, that scores are those to begin with.
Finding verify_hits(const Edges& edges, std::span<const double> hub, std::span<const double> authority, double change);

/// Checks the scores of one class: those of seeds are 1 or 0, those of others differ from the mean of their neighbours
/// by at most `change`, the last change.
/// @param weight the sum over the edges of each vertex, see neighbour_weights
Finding verify_scores(const Edges& edges, std::span<const double> score, std::span<const double> weight,
                      std::span<const std::int32_t> seed, std::int32_t of, bool directed, double change);
std::vector<double> neighbour_weights(const Edges& edges, bool directed);

}  // namespace apps
