/// @file
/// Struct SourceLine: where in the user's source something stands, and how messages begin with it.
#pragma once

#include <cstdint>
#include <string>

namespace kasen {

/// A line of the user's source. `file` points to text that lives as long as the process.
struct SourceLine {
  const char* file = "";
  std::uint32_t line = 0;
};

/// "FILE:LINE: ", which messages about that line begin with; empty for line 0, which stands for no line.
std::string prefix_of(SourceLine where);

}  // namespace kasen
