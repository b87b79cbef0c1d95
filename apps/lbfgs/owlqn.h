/// @file
/// Algorithm OWL-QN, L-BFGS for an objective with an L1 penalty: Andrew and Gao, Scalable training of L1-regularized
/// log-linear models, ICML 2007.
#pragma once

#include "apps/lbfgs/problem.h"

namespace apps {

/// Minimises a problem, from weights 0. Every trial of a step takes a product, as it is projected.
template <class T>
Fit<T> owlqn(const Problem<T>& problem, const Settings& settings);

}  // namespace apps
