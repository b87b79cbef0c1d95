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
void track(const std::string& name, recording::SlotId value, double (*read)(const void*), SourceLine where);
}

/// Follows a Shared under a name: in a recorded loop, the value that it has here in each iteration, else the one that
/// it has now. --progress shows the latest of each name, the report has all (`series`). Local; costs an `apply`, and
/// what brings the value to all workers.
template <class T>
requires std::is_arithmetic_v<T>
void track(const std::string& name, const Shared<T>& value, SourceLocation where = SourceLocation::current()) {
  const auto read = [](const void* bytes) { return static_cast<double>(*static_cast<const T*>(bytes)); };
  detail::track(name, value.slot(), read, recording::source_line(where));
}

}  // namespace kasen
