/// @file
/// Independent check of a trained model: objective and gradient in plain loops over the samples as they stand in the
/// file, the gradient by finite differences, the conditions of a minimum.
#pragma once

#include <string>
#include <vector>

#include "apps/lbfgs/train.h"

namespace apps {

/// The largest differences over all problems; NaN if one is.
struct TrainingError {
  double objective = 0;    ///< from the objective that is claimed, relative to that of weights 0
  double gradient = 0;     ///< from the distance from a minimum that is claimed
  double differences = 0;  ///< of the gradient of the smooth part from differences of the objective
  double left = 0;         ///< the distance from a minimum
  bool holds() const { return objective <= 1e-9 && gradient <= 1e-8 && differences <= 1e-6; }
  /// The errors as text for people.
  std::string text() const;
};

/// Collective. Reads the samples again; uses neither recorder, optimizer, partition nor kernels. The distance from a
/// minimum is the norm of the gradient or, with L1, of what its KKT conditions (|g_j| <= l1 where w_j is 0,
/// g_j = -l1 sign(w_j) elsewhere) are broken by, relative to that of weights 0. Differences are taken along three
/// directions. Memory: a few numbers a sample and a feature on every worker.
TrainingError training_error(const SampleFile& file, const Training& training, const Model& model,
                             const std::vector<Outcome>& outcomes);

}  // namespace apps
