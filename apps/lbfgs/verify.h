/// @file
/// An independent check of what was trained: objective and gradient in plain loops over the samples as they stand in
/// the file, the gradient by finite differences, the conditions of a minimum.
#pragma once

#include <vector>

#include "apps/lbfgs/train.h"

namespace apps {

/// Collective. Reads the samples again; uses neither recorder, optimizer, partition nor kernels. Holds if, for each
/// problem,
/// - the objective is as claimed, within 1e-9 of that of weights 0;
/// - the gradient of the smooth part agrees with differences of the objective along three directions;
/// - the distance from a minimum is as claimed: the norm of the gradient or, with L1, of what its KKT conditions
///   (|g_j| <= l1 where w_j is 0, g_j = -l1 sign(w_j) elsewhere) are broken by, relative to that of weights 0.
/// Memory: a few numbers a sample and a feature on every worker. @throws Error if it does not
void verify(const SampleFile& file, const Training& training, const Model& model, const std::vector<Outcome>& outcomes);

}  // namespace apps
