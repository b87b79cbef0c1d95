/// @file
/// Products of Rows, as of matrices of as many rows: with a small matrix that is given whole, and of two of them across
/// their common space. Compiled once (Eigen, or kernels for few columns); of floats and doubles.
#pragma once

#include <concepts>

#include "kasen/base/source_location.h"
#include "kasen/detail/handles.h"
#include "kasen/rows.h"

namespace kasen {

namespace detail {
template <class T>
concept MultipliedNumber = std::same_as<T, double> || std::same_as<T, float>;

template <MultipliedNumber T>
Rows<T> product_of_rows(const Rows<T>& X, const Rows<T>& W, SourceLocation where);
template <MultipliedNumber T>
Rows<T> cross_of_rows(const Rows<T>& X, const Rows<T>& Y, SourceLocation where);
extern template Rows<double> product_of_rows(const Rows<double>&, const Rows<double>&, SourceLocation);
extern template Rows<float> product_of_rows(const Rows<float>&, const Rows<float>&, SourceLocation);
extern template Rows<double> cross_of_rows(const Rows<double>&, const Rows<double>&, SourceLocation);
extern template Rows<float> cross_of_rows(const Rows<float>&, const Rows<float>&, SourceLocation);

template <class... A>
inline constexpr bool kAreMultiplied = false;
template <MultipliedNumber T>
inline constexpr bool kAreMultiplied<Rows<T>, Whole<Rows<T>>> = true;
template <class... A>
inline constexpr bool kAreCrossed = false;
template <MultipliedNumber T>
inline constexpr bool kAreCrossed<Rows<T>, Rows<T>> = true;
}  // namespace detail

/// X W: X has rows of d numbers, W d rows of h, and the result, over the space of X, rows of h numbers. Element work
/// with a whole: X partitioned, W consistent everywhere, rule 21; it joins the sweep of other work on the space of X.
/// Local and lazy. @throws ProgramError if W has other than d rows
/// @code
/// Rows<double> turned = product(X, whole(cross(X, X)));
/// @endcode
template <detail::MultipliedNumber T>
Rows<T> product(const Rows<T>& X, const Whole<Rows<T>>& W, SourceLocation where = SourceLocation::current()) {
  return detail::product_of_rows(X, W.of, where);
}
template <int..., class... A>
requires(!detail::kAreMultiplied<A...>) detail::Refused product(const A&...) {
  static_assert(detail::kNever<A...>,
                "[product] it takes Rows, and Rows of the same numbers, double or float, as a whole: "
                "product(X, whole(W))");
  return {};
}

/// X'Y, the sum over all i of the products of X[i] and Y[i]: X has rows of d numbers, Y of h, and the result, over the
/// space of length d, rows of h. X and Y are of one space, and may be the same: cross(X, X) are the inner products of
/// all columns. A keyed reduction by plus, in which each element belongs to every key: partitioned -> pre_reduced,
/// rules 18 and 19, for d h numbers that every worker holds; it joins the sweep that makes X and Y, and several share
/// it. Local and lazy. @throws ProgramError for lengths that differ
/// @code
/// Rows<double> squares = cross(X, X);
/// Rows<double> sums = cross(map([](auto, std::span<double> out) { out[0] = 1; }, X, width(1)), X);  // one row
/// @endcode
template <detail::MultipliedNumber T>
Rows<T> cross(const Rows<T>& X, const Rows<T>& Y, SourceLocation where = SourceLocation::current()) {
  return detail::cross_of_rows(X, Y, where);
}
template <int..., class... A>
requires(!detail::kAreCrossed<A...>) detail::Refused cross(const A&...) {
  static_assert(detail::kNever<A...>,
                "[cross] it takes two Rows of one space and of the same numbers, double or float: cross(X, Y)");
  return {};
}

}  // namespace kasen
