/// @file
/// Independent check of a mixture, without Kasen's primitives: the points are read again, and visited one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/learn/gmm.h"
#include "kasen/io/data/read_options.h"

namespace apps {

/// What is claimed of a mixture; labels are those of this worker's block of points.
struct MixtureClaim {
  Components components, previous;
  bool improved;  ///< whether the last iteration made the components of `previous`
  std::vector<std::int64_t> labels;
  double log_likelihood;
};

struct MixtureError {
  double likelihood = 0;  ///< the difference from the log-likelihood by its definition, per point, relative
  double label = 0;       ///< the most by which the log-density of a point's component lies below the highest, likewise
  double component = 0;   ///< the largest difference from what one iteration makes of the previous components: of
                          ///< weights, of means relative to the largest coordinate, of variances relative to them
  bool holds() const { return likelihood <= 1e-9 && label <= 1e-8 && component <= 1e-7; }
};

/// Collective.
MixtureError mixture_error(const std::string& points, const kasen::io::ReadOptions& options, const Mixing& mixing,
                           const MixtureClaim& claim);

}  // namespace apps
