/// @file
/// Generalised linear models by iteratively reweighted least squares, each solved by conjugate gradients: McCullagh and
/// Nelder, Generalized Linear Models, 2nd edition, 1989, section 2.5.
#pragma once

#include <cstdint>

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

enum class Family : std::uint8_t { gaussian, poisson, gamma, binomial };
enum class Link : std::uint8_t { identity, log, logit, probit, inverse };

/// What is minimised: the deviance of the targets from means whose link is x'w, and l2 times the sum of the squared
/// weights.
struct GlmProblem {
  kasen::Matrix<double> X;        ///< one sample a row
  kasen::Vector<double> targets;  ///< of the samples; of a binomial family shares, from 0 to 1
  Family family = Family::gaussian;
  Link link = Link::identity;
  double l2 = 0;
  bool constant = false;  ///< the last feature is 1 in all samples; its weight is not regularised
};

struct GlmSettings {
  Stopping stopping;                  ///< by the decrease of the objective, relative to it
  std::uint64_t most_products = 100;  ///< steps of conjugate gradients in an iteration
};

struct GlmFit {
  kasen::Vector<double> weights;
  kasen::Shared<double> objective, deviance;
  kasen::Shared<double> pearson;  ///< the sum of (target - mean)^2 / variance
};

/// Fits weights, beginning with means that are the targets, or near to them. A step of conjugate gradients is one pass
/// over the samples; beside these an iteration has one for the equations and one for the new scores. An objective that
/// is not finite says that nothing was found: there is no step to means that the family can have.
GlmFit glm(const GlmProblem& problem, const GlmSettings& settings);

/// Of samples: the means that scores stand for.
kasen::Vector<double> means_of(Link link, const kasen::Vector<double>& scores);
/// Of samples: the deviance of the target from the mean; infinite where the family cannot have that mean.
kasen::Vector<double> deviances_of(Family family, const kasen::Vector<double>& targets,
                                   const kasen::Vector<double>& means);
/// Of samples: the variance that the mean stands for, up to the dispersion.
kasen::Vector<double> variances_of(Family family, const kasen::Vector<double>& means);

}  // namespace apps
