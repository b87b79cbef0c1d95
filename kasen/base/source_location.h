/// @file
/// Class SourceLocation: std::source_location, or as much of it as Kasen needs where the compiler has none.
#pragma once

#include <source_location>

namespace kasen {

#ifdef __cpp_lib_source_location

using SourceLocation = std::source_location;

#else

/// For Clang before 16, which does not have std::source_location.
class SourceLocation {
 public:
  static constexpr SourceLocation current(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    SourceLocation location;
    location._file = file;
    location._line = line;
    return location;
  }
  constexpr const char* file_name() const { return _file; }
  constexpr unsigned line() const { return _line; }

 private:
  const char* _file = "";
  unsigned _line = 0;
};

#endif

}  // namespace kasen
