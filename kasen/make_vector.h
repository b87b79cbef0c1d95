/// @file
/// How vectors come into a program: from values that the workers have.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "kasen/arrays.h"
#include "kasen/base/padding.h"
#include "kasen/base/source_location.h"

namespace kasen {

namespace detail {
template <class Values>
inline constexpr bool kAreBits = std::is_same_v<Values, std::vector<bool>>;
/// Of make_vector: a space, and values one behind the other, or bits.
template <class... A>
inline constexpr bool kAreSpaceAndValues = false;
template <class S, class Values>
inline constexpr bool kAreSpaceAndValues<S, Values> =
    std::convertible_to<S, Space> && !kIsVector<Values> && (std::ranges::contiguous_range<Values> || kAreBits<Values>);
template <class T, class... A>
inline constexpr bool kAreValuesOf = false;
template <class T, class S, class Values>
inline constexpr bool kAreValuesOf<T, S, Values> = std::convertible_to<const Values&, std::span<const T>> ||
                                                   (kAreBits<Values> && std::is_same_v<T, bool>);

recording::SlotId make_vector(Space space, std::span<const std::byte> block, Type type, SourceLocation where);
/// What a vector holds: data, which a run that is resumed has to be given again, or what was computed of vectors, of
/// which the last bits may depend on the number of workers.
enum class Origin : std::uint8_t { data, computed };
/// Whose block `fill` writes. @param call for which it is, in messages
recording::SlotId fill_vector(const char* call, Space space, Type type, SourceLocation where, Origin origin,
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
/// Of a std::vector<bool>, as get() gives it; its bits are copied.
template <class T = bool>
requires std::is_same_v<T, bool> Vector<T> make_vector(Space space, const std::vector<bool>& block,
                                                       SourceLocation where = SourceLocation::current()) {
  const auto values = std::make_unique<bool[]>(block.size());
  std::copy(block.begin(), block.end(), values.get());
  return make_vector<bool>(space, std::span<const bool>(values.get(), block.size()), where);
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
