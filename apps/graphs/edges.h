/// @file
/// Edges of a graph as they stand in its file, read once more, and the findings of verifiers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/graphs/program.h"
#include "kasen/base/global_indices.h"

namespace apps {

/// A part of the edges on each worker.
struct Edges {
  std::uint64_t vertices = 0;
  kasen::GlobalIndices source, target;
  std::vector<double> weight;  ///< 1 if they were not asked for

  /// Calls f(source, target, weight) for each edge, and if `both` also f(target, source, weight).
  template <class F>
  void each(bool both, F f) const {
    for (std::size_t e = 0; e < source.size(); ++e) {
      const auto s = static_cast<std::size_t>(source[e]), t = static_cast<std::size_t>(target[e]);
      f(s, t, weight[e]);
      if (both) f(t, s, weight[e]);
    }
  }
};

/// Collective. Reads the file again; uses neither recorder, optimizer, partition nor kernels.
Edges read_edges(const GraphFile& graph, bool weighted = false);

/// The finding of a verifier, the same on every worker.
struct Finding {
  bool holds;
  std::string text;
};

/// Collective. The finding from counts of violations, which are summed over workers: it holds if all are zero.
Finding no_violations(const std::string& checked, std::vector<std::uint64_t> counts,
                      const std::vector<std::string>& what);

}  // namespace apps
