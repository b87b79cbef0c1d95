/// @file
/// The names of handles, for those who only ask whether something is one.
#pragma once

namespace kasen {

template <class T>
class Vector;
template <class T>
class Shared;

namespace detail {

template <class>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<Vector<T>> = true;
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
