/// @file
/// Time that is never set back.
#pragma once

#include <chrono>

namespace kasen {

/// Seconds since some moment in the past, of this process's host. Local.
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace kasen
