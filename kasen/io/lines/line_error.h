/// @file
/// What is wrong with a line of a text; parsers throw it, whoever reads adds file and line.
#pragma once

#include <cstddef>
#include <string>

namespace kasen::io {

struct LineError {
  std::size_t column;   ///< bytes of the line before what is wrong
  std::string message;  ///< "expected ..., found ..."
};

}  // namespace kasen::io
