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
  /// What is between; unless it has to be whole, also what is infinite, where that is accepted.
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();

  bool in_range(double number) const {
    return (number >= least && number <= most) || (!integral && !std::isfinite(number));
  }
};

}  // namespace kasen::io
