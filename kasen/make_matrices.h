/// @file
/// Matrices of a given form: one-hot, diagonal, and stencils of grids.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/columns.h"
#include "kasen/detail/between_plans.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/operands.h"
#include "kasen/input.h"
#include "kasen/make_vector.h"
#include "kasen/output.h"

namespace kasen {

/// A cell beside another one: so many cells further in each dimension, and what its element counts.
template <class T>
struct Neighbour {
  std::vector<std::int64_t> offset;
  T weight;
};

/// What is beyond the edge of a grid: no cells, or those of its other side.
enum class Edge : std::uint8_t { open, periodic };

namespace detail {

template <class T>
inline constexpr bool kIsKeys = false;
template <std::integral T>
inline constexpr bool kIsKeys<Vector<T>> = !std::is_same_v<T, bool>;
template <class... A>
inline constexpr bool kAreHot = false;
template <class V, class S>
inline constexpr bool kAreHot<V, S> = kIsKeys<V>&& std::is_convertible_v<S, Space>;

/// @param keys of this worker's block
Matrix<Pattern> one_hot(Space rows, std::span<const std::int64_t> keys, Space columns, SourceLocation where);

/// Of an element that is a key; beyond those of 64 bits with a sign, which no column has, the largest of them.
template <std::integral T>
std::int64_t widened(T key) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof kMost) {
    if (key > static_cast<T>(kMost)) return kMost;
  }
  return static_cast<std::int64_t>(key);
}

/// The cells of a grid in row-major order, of which this worker has a block, and their neighbours.
class Grid {
 public:
  /// Collective. Cells without owners get blocks. @param weights a hash, for workers to compare
  /// @throws ProgramError for extents that are not of this many cells, or offsets of another number of dimensions
  Grid(Space cells, std::vector<std::uint64_t> extents, std::vector<std::vector<std::int64_t>> offsets, Edge edge,
       std::uint64_t weights, SourceLocation where);
  /// The cell at offset k from `cell`, or -1 beyond the edge.
  GlobalIndex neighbour(GlobalIndex cell, std::size_t k) const;

 private:
  std::vector<std::int64_t> _extents;
  std::vector<std::vector<std::int64_t>> _offsets;
  Edge _edge;
};

}  // namespace detail

/// A matrix with a row for each element of `key`, whose one non-zero is in column key[i]; where key[i] is negative the
/// row has none. So `mxv(first, plus, one_hot(n, 100), v)` sums v by keys, `multiply(one_hot(n, 100), w)` looks them up
/// in w, and a worker has replicas of those columns alone that its rows need: for keys that are many, where
/// reduce_by_key and take, which hold all columns on every worker, suit those that are few. Of a WordColumn, its codes.
/// Collective: it runs what is pending, as get() does, and is no part of a plan; not in a recorded block. Cost: that of
/// make_matrix, of as many entries as there are keys. @throws ProgramError for a key that is no column
/// @code
/// Matrix<Pattern> of_key = one_hot(n, 100);
/// @endcode
template <class T>
requires detail::kIsKeys<Vector<T>> Matrix<Pattern> one_hot(const Vector<T>& key, Space columns,
                                                            SourceLocation where = SourceLocation::current()) {
  detail::begin_between_plans("one_hot", columns.length(), where);
  std::vector<std::int64_t> keys;
  for (const T one : block_values(key, where)) keys.push_back(detail::widened(one));
  return detail::one_hot(key.space(where), keys, columns, where);
}
template <int..., class... A>
requires(!detail::kAreHot<A...>) detail::Refused one_hot(const A&...) {
  static_assert(detail::kNever<A...>,
                "[one_hot] it takes a Vector of integers and the space or the number of columns: one_hot(n, 100); of a "
                "WordColumn w, one_hot(w.code, w.dictionary.size())");
  return {};
}

/// The square matrix that has v[i] in row and column i and nothing else, zeros among the elements included. Collective,
/// as one_hot, and of its cost.
/// @code
/// Matrix<double> D = diagonal(v);
/// @endcode
template <class T>
requires std::is_arithmetic_v<T> Matrix<T> diagonal(const Vector<T>& v,
                                                    SourceLocation where = SourceLocation::current()) {
  detail::begin_between_plans("diagonal", 0, where);
  const Space space = v.space(where);
  GlobalIndex at = block_of(space).first;
  std::vector<Entry<T>> entries;
  for (const T value : block_values(v, where)) {
    entries.push_back({at, at, value});
    ++at;
  }
  return make_matrix<T>(space, space, std::span<const Entry<T>>(entries), EqualEntries::refused, where);
}
template <int..., class A>
requires(!detail::kIsVector<A>) detail::Refused diagonal(const A&) {
  static_assert(detail::kNever<A>, "[diagonal] it takes a Vector of numbers, and makes a matrix of them: diagonal(v)");
  return {};
}

/// The matrix of a stencil: row i has `weight` in the column of each neighbour of cell i, so that multiply(M, v) is for
/// every cell the weighted sum over its neighbours, and mxvt(f, op, M, v) any other function of them; with one
/// neighbour it shifts. Cells are those of a grid of these extents in row-major order, the last dimension next to each
/// other. Cells beyond an open edge are left out. If `cells` has no owners yet it gets blocks, so that nothing is
/// searched for, and of the neighbours only cells at the edges of blocks cross the network.
/// Collective: no part of a plan; not in a recorded block. Cost: that of make_matrix, of as many entries as cells times
/// neighbours. @throws ProgramError for extents whose product is not the length of `cells`, or an offset of another
/// number of dimensions
/// @code
/// const Matrix<double> around = stencil<double>(space, {space.length()}, {{{-1}, 0.5}, {{1}, 0.5}});
/// Vector<double> smooth = multiply(around, v);
/// @endcode
template <class T>
requires(std::is_arithmetic_v<T> &&
         !std::is_same_v<T, bool>) Matrix<T> stencil(Space cells, const std::vector<std::uint64_t>& extents,
                                                     const std::vector<Neighbour<T>>& neighbours,
                                                     Edge edge = Edge::open,
                                                     SourceLocation where = SourceLocation::current()) {
  std::vector<std::vector<std::int64_t>> offsets;
  std::vector<T> weights;
  for (const Neighbour<T>& one : neighbours) {
    offsets.push_back(one.offset);
    weights.push_back(one.weight);
  }
  const detail::Grid grid(cells, extents, offsets, edge, detail::hash_of_list(std::span<const T>(weights)), where);
  const BlockRange mine = block_of(cells);
  std::vector<Entry<T>> entries;
  entries.reserve(mine.count * neighbours.size());
  for (GlobalIndex cell = mine.first; cell < mine.first + static_cast<GlobalIndex>(mine.count); ++cell) {
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
      const GlobalIndex other = grid.neighbour(cell, k);
      if (other >= 0) entries.push_back({cell, other, neighbours[k].weight});
    }
  }
  return make_matrix<T>(cells, cells, std::span<const Entry<T>>(entries), EqualEntries::refused, where);
}
/// Of doubles.
Matrix<double> stencil(Space cells, const std::vector<std::uint64_t>& extents,
                       const std::vector<Neighbour<double>>& neighbours, Edge edge = Edge::open,
                       SourceLocation where = SourceLocation::current());

}  // namespace kasen
