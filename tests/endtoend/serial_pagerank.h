/// @file
/// PageRank in plain loops.
#pragma once

#include <vector>

#include "tests/endtoend/end_to_end.h"

namespace kasen::tests {

struct SerialRanks {
  std::vector<double> pr;
  std::uint64_t iterations = 0;
};

/// Algorithm 1 of the paper: until ranks change by at most `tolerance` in sum, or for `most` iterations.
inline SerialRanks serial_pagerank(const Sparse<Pattern>& graph, double damping, double tolerance, std::uint64_t most) {
  const std::size_t n = graph.height;
  std::vector<double> degree(n, 0.0);
  for (const auto& e : graph.entries) degree[static_cast<std::size_t>(e.row)] += 1;
  SerialRanks ranks{std::vector<double>(n, 1.0)};
  for (double diff = infinity; diff > tolerance && ranks.iterations < most; ++ranks.iterations) {
    std::vector<double> sum(n, 0.0);
    for (const auto& e : graph.entries) {
      const auto from = static_cast<std::size_t>(e.row);
      sum[static_cast<std::size_t>(e.column)] += ranks.pr[from] / degree[from];
    }
    diff = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double next = (1 - damping) + damping * sum[i];
      diff += std::abs(next - ranks.pr[i]);
      ranks.pr[i] = next;
    }
  }
  return ranks;
}

}  // namespace kasen::tests
