/// @file
/// Struct LineError: an error in a line of a text. Parsers throw it, and readers add file and line.
#pragma once

#include <cstddef>
#include <string>

namespace kasen::io {

struct LineError {
  std::size_t column;   ///< number of bytes in the line before the error
  std::string message;  ///< "expected ..., found ..."
};

}  // namespace kasen::io
