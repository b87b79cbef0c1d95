/// @file
/// Which numbers of files are taken.
#pragma once

namespace kasen::io {

/// What may stand where a number is read.
struct NumberRule {
  bool finite = true;     ///< neither infinite nor nan
  bool integral = false;  ///< a whole number of [least, most]
  double least = 0, most = 0;
};

}  // namespace kasen::io
