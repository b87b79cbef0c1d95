/// @file
/// Independent check of multinomial logistic regression: objective and gradient in plain loops over the samples as they
/// stand in the file, and the gradient by finite differences.
#pragma once

#include <string>
#include <vector>

#include "apps/common/linear_model.h"

namespace apps {

/// What is claimed of weights, a row of a number for each class for each feature, and last for the constant if there is
/// one.
struct ClassClaim {
  std::vector<double> classes, weights;
  double l2 = 1;
  Outcome outcome;
};

struct ClassError {
  double objective = 0;  ///< the difference from the objective by its definition, relative to that of weights 0
  double gradient = 0;   ///< the difference of the gradient's norm, relative to that of weights 0, from what is claimed
  double differences = 0;  ///< of the gradient from differences of the objective, relative to the gradient of weights 0
  bool holds() const { return objective <= 1e-9 && gradient <= 1e-8 && differences <= 1e-6; }
  /// The errors as text for people.
  std::string text() const;
};

/// Collective. Reads the samples again. Memory: some numbers for each sample and class on every worker.
ClassError class_error(const SampleFile& file, const ClassClaim& claim);

}  // namespace apps
