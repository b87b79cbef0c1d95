/// @file
/// Multinomial logistic regression by Newton's method with conjugate gradients: Lin, Weng and Keerthi, Trust Region
/// Newton Method for Logistic Regression, JMLR 2008, with a line search in place of the trust region.
#pragma once

#include <cstdint>
#include <variant>

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

/// Samples, one a row: few non-zeros, or all numbers of each.
struct Design {
  std::variant<kasen::Matrix<double>, kasen::Rows<double>> X;

  std::uint64_t samples() const;
  std::uint64_t features() const;
  kasen::Rows<double> times(const kasen::Rows<double>& W) const;             ///< X W
  kasen::Rows<double> transposed_times(const kasen::Rows<double>& R) const;  ///< X'R
};

/// What is minimised: the sum over the samples of -log p of their class, where p is in proportion to exp(x'w) for the
/// weights w of each class, and l2 times half the sum of the squared weights.
struct ClassProblem {
  Design design;
  kasen::Vector<std::int32_t> label;  ///< of the samples: the class, from 0
  std::uint64_t classes = 2;
  double l2 = 1;
  bool constant = false;  ///< the last feature is 1 in all samples; its weights are not regularised
};

struct NewtonSettings {
  Stopping stopping;                  ///< by the gradient's norm relative to the first one's
  std::uint64_t most_products = 100;  ///< steps of conjugate gradients in an iteration
};

struct ClassFit {
  kasen::Rows<double> weights;  ///< a row a feature, of a number for each class
  kasen::Shared<double> objective;
  kasen::Shared<double> gradient;  ///< its norm relative to the first one's
  kasen::Shared<double> left;      ///< the same, but 0 where the last line search has found no step
};

/// Minimises from weights 0. A step of conjugate gradients is one pass over the samples, and so is each weights that
/// the line search tries, of which mostly the first will do.
ClassFit mlogreg(const ClassProblem& problem, const NewtonSettings& settings);

/// The log-likelihood of the labels, summed over the samples; minus infinity with one that is no class, below 0. Local
/// and lazy. @param scores of samples: a number for each class
kasen::Shared<double> log_likelihood(const kasen::Rows<double>& scores, const kasen::Vector<std::int32_t>& label);

}  // namespace apps
