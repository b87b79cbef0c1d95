/// @file
/// Training of a model from samples: its problems, and the algorithm that solves them.
#pragma once

#include <vector>

#include "apps/common/linear_model.h"
#include "apps/lbfgs/problem.h"

namespace apps {

struct Training {
  Loss loss = Loss::logistic;
  double l1 = 0, l2 = 1;
  bool intercept = false;
  Settings settings;
};

/// Collective. Trains a model of these classes, or without classes of the labels as numbers (squared loss only). More
/// than two classes are trained one against the rest, several at a time, which share every product.
Model train(const LabelledSamples& samples, const std::vector<double>& classes, const Training& training,
            std::vector<Outcome>& outcomes);

}  // namespace apps
