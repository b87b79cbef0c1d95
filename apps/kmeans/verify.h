/// @file
/// Independent check of a clustering, without Kasen's primitives: the points are read again, and visited one by one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/io/data/read_options.h"

namespace apps {

struct ClusteringError {
  double label = 0;    ///< the largest excess of a point's distance to its centre over that to the nearest, relative
  double inertia = 0;  ///< the difference from the sum of squared distances, relative
  double centre = 0;   ///< the largest distance of a centre from the mean of the points that were nearest to where it
                       ///< was before, relative to the largest coordinate; less what points of nearly equal distance
                       ///< to two centres may account for
  bool holds() const { return label <= 1e-12 && inertia <= 1e-9 && centre <= 1e-9; }
};

/// Collective. Centres one after the other; `previous` are those of an iteration before, empty if there was none;
/// `labels` are those of this worker's block of points.
ClusteringError clustering_error(const std::string& points, const kasen::io::ReadOptions& options,
                                 const std::vector<double>& centres, const std::vector<double>& previous,
                                 const std::vector<std::int64_t>& labels, double inertia);

}  // namespace apps
