/// @file
/// How vectors come into a program: from values that the workers have.
#pragma once

#include <concepts>
#include <functional>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/padding.h"
#include "kasen/base/source_location.h"

namespace kasen {

namespace detail {
/// Of make_vector: a space, and values one behind the other, which those of std::vector<bool> are not.
template <class... A>
inline constexpr bool kAreSpaceAndValues = false;
template <class S, class Values>
inline constexpr bool kAreSpaceAndValues<S, Values> =
    std::convertible_to<S, Space>&& std::ranges::contiguous_range<Values> && !kIsVector<Values>;
template <class T, class... A>
inline constexpr bool kAreValuesOf = false;
template <class T, class S, class Values>
inline constexpr bool kAreValuesOf<T, S, Values> = std::convertible_to<const Values&, std::span<const T>>;

recording::SlotId make_vector(Space space, std::span<const std::byte> block, Type type, SourceLocation where);
/// Whose block `fill` writes. @param call for which it is, in messages
recording::SlotId fill_vector(const char* call, Space space, Type type, SourceLocation where,
                              const std::function<void(std::span<std::byte>)>& fill);
}  // namespace detail

/// Collective. A vector from values in global order, of which each worker gives its block: as many as
/// block_of(space).count. Not in a recorded block. The space is assigned, if it is not yet.
/// @throws AgreedError if a worker gives another number of values.
/// Cost: every value crosses the network at most once, in one all-to-all. Structs are copied first, to clear their
/// padding.
/// @code
/// BlockRange mine = block_of(space);
/// std::vector<double> squares(mine.count);
/// for (std::uint64_t at = 0; at < mine.count; ++at) squares[at] = std::pow(static_cast<double>(mine.first) + at, 2);
/// Vector<double> x = make_vector(space, squares);
/// @endcode
template <class T>
Vector<T> make_vector(Space space, std::span<const T> block, SourceLocation where = SourceLocation::current()) {
  if constexpr (kMayHavePadding<T>) {  // checkpoints compare data by its bytes
    std::vector<T> cleared(block.begin(), block.end());
    for (T& value : cleared) clear_padding(value);
    const auto bytes = std::as_bytes(std::span<const T>(cleared));
    return recording::Result<T>{detail::make_vector(space, bytes, recording::type_of<T>(), where)};
  }
  return recording::Result<T>{detail::make_vector(space, std::as_bytes(block), recording::type_of<T>(), where)};
}

/// Of a std::vector, or whatever else lies in a row.
template <std::ranges::contiguous_range Values>
requires(!detail::kIsVector<Values>) Vector<std::ranges::range_value_t<Values>> make_vector(
    Space space, const Values& block, SourceLocation where = SourceLocation::current()) {
  using T = std::ranges::range_value_t<Values>;
  return make_vector<T>(space, std::span<const T>(std::ranges::data(block), std::ranges::size(block)), where);
}
template <int..., class... A>
requires(!detail::kAreSpaceAndValues<A...>) detail::Refused make_vector(const A&...) {
  static_assert(
      detail::kNever<A...>,
      "[make_vector] it takes a space and this worker's block of values, as many as block_of(space).count, in a "
      "std::vector, say: make_vector(A.rows(), values)");
  return {};
}
template <class T, class... A>
requires(!detail::kAreSpaceAndValues<A...> || !detail::kAreValuesOf<T, A...>) detail::Refused make_vector(const A&...) {
  static_assert(detail::kNever<A...>,
                "[make_vector] values are of the element type, as make_vector<double>(space, values) of a "
                "std::vector<double>; it may be left out");
  return {};
}

/// A worker's part of a space in the order of files: indices [first, first + count).
struct BlockRange {
  GlobalIndex first;
  std::uint64_t count;
};
/// Local. This worker's: partition::Assignment::block, whatever the space's own assignment.
BlockRange block_of(Space space);

}  // namespace kasen
