/// @file
/// Independent check of ridge regression: every fit of the cross-validation from the samples that it is of, each error
/// sample by sample, and the equations of the final weights, in plain loops over the table as it stands in the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/learn/ridge.h"

namespace apps {

/// What is claimed, and of what.
struct RidgeClaim {
  std::string target;
  std::vector<std::string> features;
  std::uint64_t folds = 0, seed = 0;
  RidgeSettings settings;
  RidgeFit fit;
};

struct RidgeError {
  double errors = 0;               ///< the largest difference of the squared errors, relative
  double equations = 0;            ///< what is left of the equations of the weights, relative to their terms
  std::uint64_t undetermined = 0;  ///< penalties with which some fold's weights are not determined: are not compared
  bool best = false;               ///< whether no other penalty's error is claimed to be less
  bool holds() const { return best && errors <= 1e-6 && equations <= 1e-6; }
  /// The errors as text for people.
  std::string text() const;
};

/// Collective. Reads the table again, and goes over it for each fold. Memory: a number for each sample and feature.
RidgeError ridge_error(const std::string& path, const RidgeClaim& claim);

}  // namespace apps
