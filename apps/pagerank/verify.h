/// @file
/// An independent check of PageRank: one more iteration in plain loops, on the edges as they stand in the file.
#pragma once

#include <span>
#include <string>

#include "kasen/io/read_options.h"

namespace apps {

struct RankDefinition {
  double damping;
  bool normalize;     ///< ranks sum to 1, else to the number of vertices
  bool redistribute;  ///< vertices without out-edges spread their rank over all
};

struct Residual {
  double l1 = 0;   ///< sum over vertices of |F(rank) - rank|, F one iteration
  double sum = 0;  ///< of all ranks
};

/// Collective. Reads the graph again; uses neither recorder, optimizer, partition nor kernels. `ranks` is the whole
/// vector, by global index. Memory: three numbers a vertex on every worker.
Residual pagerank_residual(const std::string& graph, const kasen::io::ReadOptions& input, std::span<const double> ranks,
                           const RankDefinition& definition);

}  // namespace apps
