/// @file
/// The least and the largest element of a vector with their indices: folds of the vector beside its indices.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasen/arrays.h"
#include "kasen/functors.h"
#include "kasen/primitives.h"

namespace kasen {

/// An element and its global index.
template <class T>
struct Indexed {
  T value;
  GlobalIndex index;  ///< -1: of no element
  bool operator==(const Indexed&) const = default;
};

namespace detail {

/// Whether the first comes before the second: what is NaN, then what is less, or larger; of equal ones the lower index.
template <bool least, class T>
constexpr bool comes_first(const T& a, GlobalIndex i, const T& b, GlobalIndex j) {
  // Without && and ||, so that a loop over lanes becomes one of vectors.
  const bool before = least ? a < b : b < a, after = least ? b < a : a < b;
  const bool lower = static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(j);  // no element's is the last
  const bool first = before | (!after & lower);
  if constexpr (std::is_floating_point_v<T>) {
    const bool nan = is_nan(a), other = is_nan(b);
    return (nan & !other) | ((nan == other) & first);
  } else {
    return first;
  }
}

/// A type of 8 bytes, as indices have, that holds all numbers of T: loops over both are then of vectors of one length.
template <class T>
using Wide =
    std::conditional_t<sizeof(T) >= 8, T, std::conditional_t<std::is_floating_point_v<T>, double, std::int64_t>>;

template <bool least>
struct TakeExtremum {
  static constexpr const char* name = least ? "least" : "largest";
  template <class T, class Element>
  constexpr Indexed<T> operator()(const Indexed<T>& a, const Element& element, GlobalIndex index) const {
    const auto value = static_cast<T>(element);  // NOLINT(bugprone-signed-char-misuse): a number of 8 bits
    const bool first = comes_first<least>(value, index, a.value, a.index);
    return {first ? value : a.value, first ? index : a.index};
  }
};
template <bool least>
struct MergeExtrema {
  static constexpr const char* name = least ? "least" : "largest";
  template <class T>
  constexpr Indexed<T> operator()(const Indexed<T>& a, const Indexed<T>& b) const {
    return TakeExtremum<least>()(a, b.value, b.index);
  }
};

template <bool least>
inline constexpr bool kIsInAnyOrder<MergeExtrema<least>> = true;

template <class... A>
inline constexpr bool kAreExtremal = false;
template <class T>
inline constexpr bool kAreExtremal<Vector<T>> = true;

template <bool least, class V>
auto wide_extremum(V&& v, Where where) {
  using T = ElementOf<V>;
  using Functor = std::conditional_t<least, Min, Max>;
  const Indexed<Wide<T>> none{static_cast<Wide<T>>(Functor::template identity<T>()), -1};
  return fold(none, TakeExtremum<least>(), MergeExtrema<least>(), std::forward<V>(v), iota(v.space(where), where),
              where);
}
template <bool least, class V>
Shared<Indexed<ElementOf<V>>> extremum(V&& v, Where where) {
  using T = ElementOf<V>;
  if constexpr (std::is_same_v<T, Wide<T>>) {
    return wide_extremum<least>(std::forward<V>(v), where);
  } else {
    const auto narrow = [](const Indexed<Wide<T>>& found) {
      return Indexed<T>{static_cast<T>(found.value), found.index};
    };
    return apply(narrow, wide_extremum<least>(std::forward<V>(v), where), where);
  }
}

}  // namespace detail

/// The least element, and its index: of equal ones the lowest, and NaN, if there is one, before all others. Of an empty
/// vector the identity of min, and -1. Local, as fold is, and of its cost; the vector's indices are read too where its
/// space is not in blocks.
/// @code
/// Indexed<double> least = argmin(v).get();
/// Shared<GlobalIndex> where = member(argmin(v), &Indexed<double>::index);
/// @endcode
template <class V>
requires detail::kAreExtremal<std::remove_cvref_t<V>> Shared<Indexed<detail::ElementOf<V>>> argmin(
    V&& v, Where where = Where::current()) {
  using T = detail::ElementOf<V>;
  static_assert(
      std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
      "[argmin] it is of numbers: map bools to integers first; of structs fold(none, step, merge, v, iota(space)) is");
  return detail::extremum<true>(std::forward<V>(v), where);
}
template <int..., class... A>
requires(!detail::kAreExtremal<A...>) detail::Refused argmin(const A&...) {
  static_assert(detail::kNever<A...>, "[argmin] it takes one Vector of numbers: argmin(v)");
  return {};
}
/// The largest element, and its index, as argmin.
/// @code
/// Shared<Indexed<double>> most = argmax(v);
/// @endcode
template <class V>
requires detail::kAreExtremal<std::remove_cvref_t<V>> Shared<Indexed<detail::ElementOf<V>>> argmax(
    V&& v, Where where = Where::current()) {
  using T = detail::ElementOf<V>;
  static_assert(
      std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
      "[argmax] it is of numbers: map bools to integers first; of structs fold(none, step, merge, v, iota(space)) is");
  return detail::extremum<false>(std::forward<V>(v), where);
}
template <int..., class... A>
requires(!detail::kAreExtremal<A...>) detail::Refused argmax(const A&...) {
  static_assert(detail::kNever<A...>, "[argmax] it takes one Vector of numbers: argmax(v)");
  return {};
}

}  // namespace kasen
