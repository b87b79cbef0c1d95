/// @file
/// Struct NumberRule: which numbers are accepted from files.
#pragma once

#include <cmath>
#include <limits>

namespace kasen::io {

/// The numbers that are accepted where one is read.
struct NumberRule {
  bool finite = true;     ///< neither infinite nor nan
  bool integral = false;  ///< a whole number
  /// Numbers from least to most; infinite ones and nan too, where they are accepted and need not be whole.
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();

  bool in_range(double number) const {
    return (number >= least && number <= most) || (!integral && !std::isfinite(number));
  }
};

}  // namespace kasen::io
