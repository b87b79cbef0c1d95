/// @file
/// Random graphs for tests and measurements, as edges in no particular order. Edge k is a function of the seed and k
/// alone, so the union over parts is the same graph whatever the number of parts.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen::tests {

/// Edge k goes from source[k] to target[k]: the non-zero (source, target) of an adjacency matrix.
struct Edges {
  std::vector<GlobalIndex> source, target;
};

/// Which of `parts` equal shares of the edges to make.
struct Share {
  int part = 0;
  int parts = 1;
};

/// R-MAT with the Graph500 probabilities (0.57, 0.19, 0.19, 0.05): 2^scale vertices, 2^scale * edges_per_vertex edges,
/// duplicates and self-loops included. Vertices are renumbered by a fixed bijection, so that degree and index are not
/// related; `shuffled` false leaves the heavy ones first. @pre scale < 48.
Edges rmat(int scale, std::uint64_t edges_per_vertex, std::uint64_t seed, Share share = {}, bool shuffled = true);

/// Edges between independent, uniformly distributed end points. @pre sources and targets are not 0.
Edges uniform_edges(std::uint64_t sources, std::uint64_t targets, std::uint64_t edges, std::uint64_t seed,
                    Share share = {});

}  // namespace kasen::tests
