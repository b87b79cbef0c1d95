/// @file
/// Lloyd's algorithm: every point belongs to its nearest centre, every centre moves to the mean of its points. Of equal
/// distances the first centre's counts; a cluster without points keeps its centre.
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
  kasen::Shared<double> shift;         ///< how far a centre has moved in the last iteration, at most
};

/// Points that are numbers: the paper's program (section 8.1). `stopping` looks at the largest shift of a centre. Each
/// iteration is one sweep, which reads the points and writes nothing. The operations are recorded centre by centre:
/// for few centres.
Clustering kmeans_of_numbers(const kasen::Vector<double>& points, const std::vector<double>& centres,
                             const Stopping& stopping);

/// Points that are the rows of a matrix in which every element is an entry; centres one after the other. Each iteration
/// reads the matrix once for the distances to all centres, and once for where these move.
Clustering kmeans_of_rows(const kasen::Matrix<double>& points, const std::vector<double>& centres,
                          const Stopping& stopping);

// ---- parts of kmeans_of_numbers ----

using SharedNumbers = std::vector<kasen::Shared<double>>;

/// What the points of a cluster add up to.
struct Cluster {
  double sum, points;
};

/// The centres by where they are; nan, which nothing equals, for one in the place of an earlier one.
SharedNumbers places_of(const SharedNumbers& centres);
/// By point, where its nearest centre is: one map and k - 1 zips.
kasen::Vector<double> nearest_centres(const kasen::Vector<double>& points, const SharedNumbers& centres);
/// k zips and k reductions. `nearest` as above.
std::vector<kasen::Shared<Cluster>> clusters(const kasen::Vector<double>& points, const kasen::Vector<double>& nearest,
                                             const SharedNumbers& places);

}  // namespace apps
