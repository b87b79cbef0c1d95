/// @file
/// Algorithm L-BFGS: Liu and Nocedal, On the limited memory BFGS method for large scale optimization, Mathematical
/// Programming 45, 1989.
#pragma once

#include "apps/lbfgs/problem.h"

namespace apps {

/// Minimises a problem without L1 penalty, from weights 0.
template <class T>
Fit<T> lbfgs(const Problem<T>& problem, const Settings& settings);

}  // namespace apps
