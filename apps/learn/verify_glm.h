/// @file
/// Independent check of a generalised linear model: deviance and gradient in plain loops over the samples as they stand
/// in the file, and the gradient by finite differences.
#pragma once

#include <string>
#include <vector>

#include "apps/common/samples.h"
#include "apps/learn/glm.h"

namespace apps {

/// What is claimed; weights with the constant's last, if there is one.
struct GlmClaim {
  std::vector<double> weights;
  double objective, deviance, pearson;
};

struct GlmError {
  double objective =
      0;  ///< the largest difference of objective, deviance and Pearson's sum by their definitions, relative
  double differences = 0;  ///< of the gradient from differences of the objective, relative to the weights' terms in it
  double left = 0;         ///< the norm of the gradient, relative likewise: how near to the minimum
  bool holds() const { return objective <= 1e-9 && differences <= 1e-5; }
  /// The errors as text for people.
  std::string text() const;
};

/// Collective. Reads the samples again. Memory: some numbers for each sample and feature on every worker.
/// @param fitted whether there was an iteration
GlmError glm_error(const SampleFile& file, const GlmProblem& problem, const GlmClaim& claim, bool fitted);

}  // namespace apps
