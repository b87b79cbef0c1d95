/// @file
/// A running maximum of errors that keeps NaN, for verifiers.
#pragma once

#include <cmath>

namespace apps {

/// Raises `largest` to `error` if that is more, or NaN, which stays: std::max would pass over it.
inline void keep_larger(double& largest, double error) {
  if (!std::isnan(largest) && !(error <= largest)) largest = error;
}

}  // namespace apps
