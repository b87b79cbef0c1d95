/// @file
/// Mixtures of Gaussians whose coordinates are independent in each (diagonal covariances), by expectation maximisation:
/// Dempster, Laird and Rubin, Maximum Likelihood from Incomplete Data via the EM Algorithm, 1977.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

/// The Gaussians of a mixture, on every worker, one after the other.
struct Components {
  std::vector<double> weights;           ///< how much of the mixture each is; they add up to 1
  std::vector<double> means, variances;  ///< of each coordinate of each
};

struct Mixing {
  Stopping stopping;  ///< by the increase of the log-likelihood, per point
  /// Variances are at least this part of that of their column, and where a column is constant, this.
  double least_variance = 1e-6;
};

struct Mixture {
  Components components;
  Components previous;                 ///< before the last iteration
  kasen::Vector<std::int64_t> labels;  ///< by point, the component that it most likely is of; of equals the first
  double log_likelihood;               ///< of all points, by the components
};

/// Fits a mixture to points, of which there is at least one, beginning with components of these means, equal weights,
/// and the variances of the columns times K^(-2/D). A component that no point belongs to keeps its place, with weight
/// 0. An iteration is one sweep over the points, which writes nothing, and small ones over the components.
Mixture gmm(const kasen::Rows<double>& points, const std::vector<double>& means, const Mixing& mixing);

/// The log of the density of the mixture at the points, summed over them. A sweep.
double log_likelihood(const kasen::Rows<double>& points, const Components& components);

}  // namespace apps
