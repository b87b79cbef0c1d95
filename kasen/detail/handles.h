/// @file
/// The names of handles, for those who only ask whether something is one.
#pragma once

#include <type_traits>

namespace kasen {

template <class T>
class Vector;
template <class T>
class Shared;
template <class T>
class Rows;
template <class V>
struct Whole;
template <class T>
struct Width;

namespace detail {

/// Of numbers, structs or rows: what is distributed by element.
template <class>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<Vector<T>> = true;
template <class T>
inline constexpr bool kIsVector<Rows<T>> = true;
template <class V>
concept AnyVector = kIsVector<std::remove_cvref_t<V>>;

template <class>
inline constexpr bool kIsRows = false;
template <class T>
inline constexpr bool kIsRows<Rows<T>> = true;
template <class>
inline constexpr bool kIsWhole = false;
template <class V>
inline constexpr bool kIsWhole<Whole<V>> = true;
template <class>
inline constexpr bool kIsWidth = false;
template <class T>
inline constexpr bool kIsWidth<Width<T>> = true;

template <class>
inline constexpr bool kIsShared = false;
template <class T>
inline constexpr bool kIsShared<Shared<T>> = true;

/// Of what is refused when it is used, and not before.
template <class...>
inline constexpr bool kNever = false;
/// The result of a call that is refused: goes wherever one is expected, so that the refusal is the first error.
struct Refused {
  template <class T>
  operator T() const;  // NOLINT: implicit
};

}  // namespace detail

}  // namespace kasen
