/// @file
/// Struct NumberRule: which numbers are accepted from files.
#pragma once

namespace kasen::io {

/// The numbers that are accepted where one is read.
struct NumberRule {
  bool finite = true;     ///< neither infinite nor nan
  bool integral = false;  ///< a whole number of [least, most]
  double least = 0, most = 0;
};

}  // namespace kasen::io
