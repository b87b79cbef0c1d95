/// @file
/// Values that people want to see while a program runs, and to find in its report.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"

namespace kasen {

namespace detail {
template <class... A>
inline constexpr bool kAreTracked = false;
template <class Name, class T>
inline constexpr bool kAreTracked<Name, Shared<T>> = std::convertible_to<const Name&, std::string>;
void track(const std::string& name, recording::SlotId value, double (*read)(const void*), SourceLine where);
}  // namespace detail

/// Follows a Shared under a name: in a recorded loop, the value that it has here in each iteration, else the one that
/// it has now. --progress shows the latest of each name, the report has all (`series`). Local; costs an `apply`, and
/// what brings the value to all workers. What is tracked last is computed at the end of the session, if nothing asks
/// for a value before.
/// @code
/// track("residual", s);
/// @endcode
template <class T>
void track(const std::string& name, const Shared<T>& value, SourceLocation where = SourceLocation::current()) {
  static_assert(std::is_arithmetic_v<T>,
                "[track] a Shared struct is no number: track one of its members, member(s, &Point::x)");
  const auto read = [](const void* bytes) { return static_cast<double>(*static_cast<const T*>(bytes)); };
  detail::track(name, value.slot(), read, recording::source_line(where));
}
template <int..., class... A>
requires(!detail::kAreTracked<A...>) void track(const A&...) {
  static_assert(detail::kNever<A...>,
                "[track] it takes a name and a Shared: track(\"residual\", s); of a Vector, what it is reduced to");
}

}  // namespace kasen
