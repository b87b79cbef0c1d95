/// @file
/// Support vector machines with squared hinge loss, by nonlinear conjugate gradients with an exact line search, as
/// SystemML's L2SVM (Boehm et al., SystemML: Declarative Machine Learning on Spark, VLDB 2016).
#pragma once

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

/// What is minimised: the sum over the samples of max(0, 1 - sign * x'w)^2, and l2 times half the sum of the squared
/// weights.
struct SvmProblem {
  kasen::Matrix<double> X;     ///< one sample a row
  kasen::Vector<double> sign;  ///< of the samples: the class, -1 or +1
  double l2 = 1;
  bool constant = false;  ///< the last feature is 1 in all samples; its weight is not regularised
};

struct SvmFit {
  kasen::Vector<double> weights;
  kasen::Shared<double> objective;
  kasen::Shared<double> gradient;  ///< its norm relative to the first one's
};

/// Minimises from weights 0. `stopping` compares what the objective decreases by, relative to it. An iteration is two
/// passes over the samples, and one over two numbers of each for every step of the line search.
SvmFit svm(const SvmProblem& problem, const Stopping& stopping);

/// The search for where the slope of a convex function, of which each trial tells slope and curvature, is 0: Newton's
/// method within the bracket that slopes of both signs make, else bisection.
struct ExactSearch {
  double low = 0, high = kasen::infinity;  ///< steps with a slope below 0, and above
  double step = 0;                         ///< to try next, or found
  double first = 0;                        ///< the slope at step 0
  int trials = 0;
  bool done = false;
};
/// The search after the trial of search.step.
ExactSearch after_trial(const ExactSearch& search, double slope, double curvature);

}  // namespace apps
