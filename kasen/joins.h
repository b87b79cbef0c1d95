/// @file
/// Joins and filters of tables: where the elements of a vector are found in another one, and vectors of some elements.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"
#include "kasen/columns.h"
#include "kasen/detail/between_plans.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/moved_columns.h"
#include "kasen/output.h"

namespace kasen {

namespace detail {
recording::SlotId index_of(const recording::Handle& of, std::span<const std::int64_t> left,
                           std::span<const std::int64_t> right, SourceLocation where);
/// This worker's block of integers, widened.
template <class T>
std::vector<std::int64_t> integer_block(const Vector<T>& v, SourceLocation where) {
  const std::vector<std::byte> bytes = block_bytes(v, recording::source_line(where), "index_of");
  std::vector<std::int64_t> values(bytes.size() / sizeof(T));
  for (std::size_t k = 0; k < values.size(); ++k) {
    T value;
    std::memcpy(&value, bytes.data() + k * sizeof value, sizeof value);
    values[k] = static_cast<std::int64_t>(value);
  }
  return values;
}

/// Which elements of a worker's block are kept, and the space of those of all workers.
class Kept : public MovedColumns<Kept> {
 public:
  Kept(const Vector<bool>& keep, SourceLocation where);
  recording::SlotId moved(const recording::Handle& v, Type type) const;

 private:
  std::vector<std::byte> _keep;  ///< 1 or 0
  Space _from, _space;
};
template <class A, class B>
inline constexpr bool kAreMatched = std::is_same_v<A, WordColumn>&& std::is_same_v<B, WordColumn>;
template <class T>
inline constexpr bool kAreMatched<Vector<T>, Vector<T>> = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class... A>
inline constexpr bool kAreCompacted = false;
template <class V>
inline constexpr bool kAreCompacted<Vector<bool>, V> = kAreColumns<V>;
}  // namespace detail

/// For every element of `left` the position of the first equal element of `right`, or -1 where there is none: a vector
/// over the space of `left`, whose elements are keys for take(w, key) and reduce_by_key, with w and results over the
/// space of `right`. So a join is one index_of, and a take for each column. Integers of one type.
/// Collective: runs what is pending, and is no part of a plan; not in a recorded block.
/// Cost: each worker answers for a share of all values, by a hash. Three all-to-alls: 16 bytes for each element of
/// `right`, and 8 forth and 8 back for each distinct element of a worker's block of `left`.
/// @code
/// Vector<GlobalIndex> order = index_of(n, map(KASEN_FN((auto x), kasen::cast<std::int32_t>(x)), w));
/// Vector<double> price = take(w, order);
/// @endcode
template <std::integral T>
requires(!std::is_same_v<T, bool>) Vector<GlobalIndex> index_of(const Vector<T>& left, const Vector<T>& right,
                                                                SourceLocation where = SourceLocation::current()) {
  detail::begin_between_plans("index_of", recording::type_of<T>().hash, where);
  const std::vector<std::int64_t> of_left = detail::integer_block(left, where);
  const std::vector<std::int64_t> of_right = detail::integer_block(right, where);
  return recording::Result<GlobalIndex>{detail::index_of(left, of_left, of_right, where)};
}
/// Of words, by what they say: the dictionaries may differ. Cost: instead, 8 bytes for each word of the dictionary of
/// `right`, from every worker to every other.
Vector<GlobalIndex> index_of(const WordColumn& left, const WordColumn& right,
                             SourceLocation where = SourceLocation::current());
template <int..., class A, class B>
requires(!detail::kAreMatched<A, B>) detail::Refused index_of(const A&, const B&) {
  static_assert(detail::kNever<A>,
                "[index_of] it takes two Vectors of integers of one type, or two WordColumns: index_of(left, right); "
                "map(KASEN_FN((auto x), kasen::cast<std::int64_t>(x)), v) converts one");
  return {};
}

/// The elements of `v` at which `keep` holds, in their order, over the space of their number. Of several columns in a
/// tuple, which cross the network with the same flags: a tuple of theirs. Columns are Vectors of any elements, Rows, or
/// WordColumns, which keep their dictionary, over the space of `keep`. Where few elements are left out, a negative
/// key or an element of no effect, as 0 in a sum, costs less, as it needs no plan of its own. Collective: it ends a
/// plan, as get() does, as the length of the result is not known before; not in a recorded block. Cost: each element
/// that is kept crosses the network at most once.
/// @code
/// Vector<double> large = compact(map(KASEN_FN((auto x), x > 100), v), v);
/// auto [both, numbers] = compact(flags, std::tie(points, n));
/// @endcode
template <class V>
requires detail::kAreColumns<V>
auto compact(const Vector<bool>& keep, const V& columns, SourceLocation where = SourceLocation::current()) {
  return detail::Kept(keep, where).of(columns);
}
template <int..., class... A>
requires(!detail::kAreCompacted<A...>) detail::Refused compact(const A&...) {
  static_assert(detail::kNever<A...>,
                "[compact] it takes flags, a Vector<bool>, and a Vector, Rows or a WordColumn, or several in a tuple: "
                "compact(keep, v), compact(keep, std::tie(v, w))");
  return {};
}

}  // namespace kasen
