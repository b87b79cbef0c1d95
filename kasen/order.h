/// @file
/// Vectors in the order of their elements, and quantiles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/ordered_bits.h"
#include "kasen/base/source_location.h"
#include "kasen/detail/between_plans.h"
#include "kasen/detail/call_checks.h"
#include "kasen/detail/moved_columns.h"
#include "kasen/functors.h"
#include "kasen/output.h"

namespace kasen {

enum class Order : std::uint8_t { ascending, descending };

namespace detail {

template <class T>
concept HasOrderedBits = std::is_arithmetic_v<T> && sizeof(T) <= sizeof(std::uint64_t);

/// Of this worker's block, bits that order as its elements do when they are converted to As; NaN last in both orders.
template <class As, class T>
std::vector<std::uint64_t> ordered_block(const Vector<T>& v, Order order, const char* call, SourceLocation where) {
  const std::vector<std::byte> block = block_bytes(v, recording::source_line(where), call);
  std::vector<std::uint64_t> bits(block.size() / sizeof(T));
  for (std::size_t k = 0; k < bits.size(); ++k) {
    T value;
    std::memcpy(&value, &block[k * sizeof value], sizeof value);
    bits[k] = ordered_bits(static_cast<As>(value));
    if (order == Order::descending && !is_nan(value)) bits[k] = ~bits[k];
  }
  return bits;
}

/// Collective. How a sort begins: this worker's keys.
template <class T>
std::vector<std::uint64_t> sort_keys(const Vector<T>& v, Order order, SourceLocation where) {
  begin_between_plans("sort", static_cast<std::uint64_t>(order), where);
  return ordered_block<T>(v, order, "sort", where);
}

/// Where the elements of a space go that are put in order.
class Sorted : public MovedColumns<Sorted> {
 public:
  /// @param keys of this worker's block of `by`, in whose order elements go
  Sorted(const recording::Handle& by, std::span<const std::uint64_t> keys, SourceLocation where);
  recording::SlotId moved(const recording::Handle& v, Type type) const;

 private:
  Space _space;
  std::vector<std::uint64_t> _from;     ///< of what this worker sends, in its order: the place in its block
  std::vector<std::uint64_t> _offsets;  ///< workers + 1: what goes to each
  std::vector<std::uint64_t> _to;       ///< of what it receives, as it comes: the place in order
};

/// @param bits of this worker's block, as doubles
std::vector<double> quantiles(std::vector<std::uint64_t> bits, std::span<const double> shares, SourceLocation where);

template <class... A>
inline constexpr bool kAreSorted = false;
template <HasOrderedBits T>
inline constexpr bool kAreSorted<Vector<T>> = true;
template <HasOrderedBits T, class V>
inline constexpr bool kAreSorted<Vector<T>, V> = kAreColumns<V> || std::is_same_v<V, Order>;
template <HasOrderedBits T, class V>
inline constexpr bool kAreSorted<Vector<T>, V, Order> = kAreColumns<V>;
template <class... A>
inline constexpr bool kAreDivided = false;
template <HasOrderedBits T, class Shares>
inline constexpr bool kAreDivided<Vector<T>, Shares> = std::is_convertible_v<Shares, std::vector<double>>;

}  // namespace detail

/// The elements of `v` in order, the least first: a vector over the same space. Numbers, and flags, of which false is
/// less; NaN comes last, in both orders. Equal elements keep their order, so that 0 and -0, which are equal, stay as
/// they stand. Collective: it runs what is pending, as get() does, and is no part of a plan; not in a recorded block.
/// Cost: each worker puts its block in order, n log n for n elements, and then what it receives; 16 bytes, and the
/// element, of each cross the network, and the element once more at most; P * P elements of 16 bytes on every worker,
/// with P workers. No worker receives more than about twice its share.
/// @code
/// Vector<double> upwards = sort(v);
/// Vector<double> downwards = sort(v, Order::descending);
/// @endcode
template <detail::HasOrderedBits T>
Vector<T> sort(const Vector<T>& v, Order order = Order::ascending, SourceLocation where = SourceLocation::current()) {
  return detail::Sorted(v, detail::sort_keys(v, order, where), where).of(v);
}
/// The elements of a column, of any type, or of several in a tuple, in the order of the elements of `key`. Columns are
/// Vectors, Rows or WordColumns over the space of `key`; the key itself may be among them. Of iota(space) it gives
/// where each element stood. Cost: 16 bytes for each element of `key` once, and then each column as above.
/// @code
/// auto [times, places, who] = sort(v, std::tie(v, points, n));
/// Vector<GlobalIndex> stood_at = sort(v, iota(space));
/// @endcode
template <detail::HasOrderedBits T, class V>
requires detail::kAreColumns<V>
auto sort(const Vector<T>& key, const V& columns, Order order = Order::ascending,
          SourceLocation where = SourceLocation::current()) {
  return detail::Sorted(key, detail::sort_keys(key, order, where), where).of(columns);
}
template <int..., class... A>
requires(!detail::kAreSorted<A...>) detail::Refused sort(const A&...) {
  static_assert(detail::kNever<A...>,
                "[sort] it takes a Vector of numbers, and what is put in its order, if that is something else: "
                "sort(v), sort(v, Order::descending), sort(key, v), sort(key, std::tie(v, w))");
  return {};
}

/// The values below which given shares of the elements lie: 0.5 asks for the median, 0 for the least element, 1 for the
/// largest one. Between two elements it interpolates linearly: of n elements in order share q is at place (n - 1) q. So
/// it is what NumPy and R call quantiles of type 7; elements are taken as doubles, and -0 as 0. NaN, if an element is
/// NaN, and between -infinity and infinity. The same on every worker, and for any number of them. Collective: it runs
/// what is pending, as get() does, and is no part of a plan; not in a recorded block. @throws ProgramError for no
/// elements, or a share that is not between 0 and 1 Cost: nothing is put in order, and no element crosses the network
/// but into blocks: up to eight passes over the block, each of what the one before has left, with a sum of 256 counts
/// over the workers for each share and its neighbour.
/// @code
/// const std::vector<double> limits = quantiles(v, {0.25, 0.5, 0.75});
/// @endcode
template <detail::HasOrderedBits T>
std::vector<double> quantiles(const Vector<T>& v, const std::vector<double>& shares,
                              SourceLocation where = SourceLocation::current()) {
  detail::begin_between_plans("quantiles", detail::hash_of_list(std::span<const double>(shares)), where);
  return detail::quantiles(detail::ordered_block<double>(v, Order::ascending, "quantiles", where), shares, where);
}
template <int..., class... A>
requires(!detail::kAreDivided<A...>) detail::Refused quantiles(const A&...) {
  static_assert(detail::kNever<A...>,
                "[quantiles] it takes a Vector of numbers and the shares, from 0 to 1: quantiles(v, {0.25, 0.5})");
  return {};
}

}  // namespace kasen
