/// @file
/// Loops in which values spread along the edges of a graph until nothing changes, and the same by a serial loop.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/kasen.h"
#include "tests/kasen/search_runs.h"

namespace kasen::tests {

/// Each edge in both directions.
inline Graph mirrored(const Graph& graph) {
  Graph both{graph.vertices, {}};
  for (const auto& [a, b] : graph.edges) {
    both.edges.emplace_back(a, b);
    both.edges.emplace_back(b, a);
  }
  return both;
}

/// What the vertices are in the end, if each becomes what `join` makes of it and what `along` makes of its
/// predecessors, until nothing changes.
template <class Join, class Along>
Whole serial(const Graph& graph, Whole x, const Join& join, const Along& along) {
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const auto from = static_cast<std::size_t>(graph.edges[k].first);
      const auto to = static_cast<std::size_t>(graph.edges[k].second);
      const GlobalIndex next = join(x[to], along(x[from], k));
      changes = changes || next != x[to];
      x[to] = next;
    }
  }
  return x;
}
inline constexpr auto kSmaller = [](GlobalIndex a, GlobalIndex b) { return std::min(a, b); };
inline constexpr auto kLarger = [](GlobalIndex a, GlobalIndex b) { return std::max(a, b); };
inline constexpr auto kAsItIs = [](GlobalIndex x, std::size_t) { return x; };

inline Whole from_first(std::uint64_t n, GlobalIndex first, GlobalIndex others) {
  Whole all(n, others);
  all[0] = first;
  return all;
}

/// x = R(x, mxv(f, R, G, x)) until nothing changes.
template <class F, class R, class M, class T>
Vector<T> spread(const F& f, const R& reducer, const M& G, Vector<T> x) {
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto next = zip_with(reducer, x, mxv(f, reducer, G, x));
    changed =
        reduce(plus, zip_with(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0})), next, x));
    x = next;
  });
  return x;
}

/// x = R(x, R(mxv(f, R, G, x), mxvt(g, R, G, x))) until nothing changes.
template <class F, class G, class R, class M, class T>
Vector<T> spread_both_ways(const F& f, const G& g, const R& reducer, const M& graph, Vector<T> x) {
  Shared<GlobalIndex> changed = 1;
  while_(likely([&] { return changed > GlobalIndex{0}; }), [&] {
    const auto ways = zip_with(reducer, mxv(f, reducer, graph, x), mxvt(g, reducer, graph, x));
    const auto next = zip_with(reducer, x, ways);
    changed =
        reduce(plus, zip_with(KASEN_FN((auto a, auto b), select(a != b, GlobalIndex{1}, GlobalIndex{0})), next, x));
    x = next;
  });
  return x;
}

template <class T>
Whole whole(const Vector<T>& x) {
  const std::vector<T> all = x.get();
  Whole numbers;
  for (const T value : all) numbers.push_back(value == T(infinity) ? kFar : static_cast<GlobalIndex>(value));
  return numbers;
}
template <>
inline Whole whole(const Vector<bool>& x) {
  Whole numbers;
  for (const bool value : x.get()) numbers.push_back(value ? 1 : 0);
  return numbers;
}

/// x = R(x, ..) with the first vertex at `first` and the others at `others`.
template <class T>
Vector<T> at_first(Space space, T first, T others) {
  return map([](GlobalIndex v, T a, T b) { return v == 0 ? a : b; }, iota(space), first, others);
}

}  // namespace kasen::tests
