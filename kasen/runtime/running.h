/// @file
/// The user's function that runs now, for messages about what it throws, and to refuse what it may not do. An
/// exception cannot leave a vectorised loop, so it mostly ends the program there.
#pragma once

#include <string>

#include "kasen/base/program.h"

namespace kasen::runtime {

/// A function of the user's that runs; `label` is null while none does.
struct Running {
  const std::string* label = nullptr;
  SourceLine where;
};
inline Running running;  // workers have one thread that computes

/// The message "FILE:LINE: [map(f)] the function WHAT" about a function that runs.
std::string told_of(const Running& function, const std::string& what);

}  // namespace kasen::runtime
