/// @file
/// Independent check of PageRank: one more iteration in plain loops, on the edges as they stand in the file.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "apps/pagerank/rank_definition.h"
#include "kasen/base/ids.h"
#include "kasen/io/data/read_options.h"

namespace apps {

struct Residual {
  double l1 = 0;       ///< sum over vertices of |F(rank) - rank|, F one iteration; infinite if vertices have no rank
  double allowed = 0;  ///< the last change times the damping factor, by which an iteration shrinks it
  double sum = 0;      ///< of all ranks
  bool holds() const { return l1 <= allowed; }
  /// The residual as text for people.
  std::string text() const;
};

/// Collective. The residual of ranks. Reads the graph again; uses neither recorder, optimizer, partition nor kernels.
/// `ranks` is the whole vector, by global index; `change` is by how much the last iteration changed them, in sum.
/// Memory: three numbers a vertex on every worker.
Residual pagerank_residual(const std::string& graph, const kasen::io::ReadOptions& input, std::span<const double> ranks,
                           double change, const RankDefinition& definition);

/// Collective. The same for the ranks of several sources, which sum to 1 each; `ranks` has a whole
/// vector for each.
std::vector<Residual> personalised_residuals(const std::string& graph, const kasen::io::ReadOptions& input,
                                             std::span<const std::vector<double>> ranks,
                                             std::span<const kasen::GlobalIndex> sources, double change,
                                             const RankDefinition& definition);

}  // namespace apps
