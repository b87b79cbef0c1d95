/// @file
/// Which of the user's functions runs now: for messages about what it throws, and to refuse what it may not do. An
/// exception cannot leave a vectorised loop, so it mostly ends the program there.
#pragma once

#include <string>

#include "kasen/base/program.h"

namespace kasen::runtime {

/// `label` is null while none runs.
struct Running {
  const std::string* label = nullptr;
  SourceLine where;
};
inline Running running;  // workers have one thread that computes

/// "FILE:LINE: [map(f)] the function WHAT", of one that runs.
std::string told_of(const Running& function, const std::string& what);

}  // namespace kasen::runtime
