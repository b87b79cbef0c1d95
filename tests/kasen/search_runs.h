/// @file
/// Graphs that all workers know, and runs of loops over them, with how often products and element work went another way
/// than over all.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/kasen.h"

namespace kasen::tests {

using Whole = std::vector<GlobalIndex>;
inline constexpr GlobalIndex kFar = std::numeric_limits<GlobalIndex>::max();

/// A graph that all workers know, of which each gives a share to the matrix.
struct Graph {
  std::uint64_t vertices = 0;
  std::vector<std::pair<GlobalIndex, GlobalIndex>> edges;

  void add(std::uint64_t a, std::uint64_t b) {
    edges.emplace_back(static_cast<GlobalIndex>(a), static_cast<GlobalIndex>(b));
  }
  Matrix<Pattern> matrix() const;
  /// With the weight of each edge, by its number.
  template <class Weight>
  auto matrix(const Weight& weight) const {
    using T = std::invoke_result_t<Weight, std::size_t>;
    const auto& session = Session::current();
    std::vector<Entry<T>> mine;
    for (auto k = static_cast<std::size_t>(session.rank()); k < edges.size();
         k += static_cast<std::size_t>(session.workers()))
      mine.push_back({edges[k].first, edges[k].second, weight(k)});
    return make_matrix(vertices, vertices, mine);
  }
};

Graph path(std::uint64_t length);  ///< in no order of indices
Graph grid(std::uint64_t height, std::uint64_t width);
/// A dense middle, from which a long tail leads away.
Graph comet();
/// A search from vertex 0 goes through half of the indices in order, 256 at a time, and through the others in leaps.
Graph wave();

/// What a program computed, and how often it visited what had changed only.
struct Outcome {
  Whole numbers;
  std::uint64_t delta_runs = 0, visited = 0, whole_visits = 0, entered = 0, known_walks = 0;
  std::uint64_t pushed = 0, walked = 0, told = 0;  ///< runs of products of active elements, and elements pushed
  std::uint64_t settled = 0;                       ///< elements that products went on from, or passed on to
  std::uint64_t connected = 0;                     ///< how often it was found what is connected
};

/// Counts that differ from what was predicted are failures of the test.
Outcome run(Options options, const std::function<Whole()>& compute);

/// Options under which each program runs.
std::vector<Options> ways();

}  // namespace kasen::tests
