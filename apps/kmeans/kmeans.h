/// @file
/// K-means by Lloyd's algorithm: every point belongs to its nearest centre, every centre moves to the mean of its
/// points. Of equal distances the first centre's counts; a cluster without points keeps its centre.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

struct Clustering {
  std::vector<double> centres;         ///< one after the other, on every worker
  std::vector<double> previous;        ///< where they were before the last iteration
  kasen::Vector<std::int64_t> labels;  ///< the nearest of these centres, by point
  kasen::Shared<double> inertia;       ///< sum of squared distances to them
  kasen::Shared<double> shift;         ///< the largest distance that a centre has moved in the last iteration
};

/// Clusters points that are numbers, by the paper's program (section 8.1). `stopping` compares the largest shift of a
/// centre. Each iteration is one sweep, which reads the points and writes nothing. Operations are recorded for each
/// centre, so there should be few.
Clustering kmeans_of_numbers(const kasen::Vector<double>& points, const std::vector<double>& centres,
                             const Stopping& stopping);

/// Clusters points that are rows; centres one after the other. Each iteration is one sweep over the points, which
/// writes nothing, and small ones over the centres.
Clustering kmeans_of_rows(const kasen::Rows<double>& points, const std::vector<double>& centres,
                          const Stopping& stopping);

// ---- parts of kmeans_of_numbers ----

using SharedNumbers = std::vector<kasen::Shared<double>>;

/// The sum and the number of a cluster's points.
struct Cluster {
  double sum, points;
};
constexpr Cluster operator+(const Cluster& a, const Cluster& b) { return {a.sum + b.sum, a.points + b.points}; }

}  // namespace apps

template <>
struct kasen::NumbersOf<apps::Cluster> {
  using type = double;
};

namespace apps {

/// The places of the centres; nan, which nothing equals, for one in the place of an earlier one.
SharedNumbers places_of(const SharedNumbers& centres);
/// By point, the place of its nearest centre: one map and k - 1 zips.
kasen::Vector<double> nearest_centres(const kasen::Vector<double>& points, const SharedNumbers& centres);
/// The clusters, by k zips and k reductions. `nearest` is as above.
std::vector<kasen::Shared<Cluster>> clusters(const kasen::Vector<double>& points, const kasen::Vector<double>& nearest,
                                             const SharedNumbers& places);

}  // namespace apps
