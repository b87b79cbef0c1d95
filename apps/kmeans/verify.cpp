#include "apps/kmeans/verify.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "apps/common/plain_sum.h"
#include "kasen/functors.h"
#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {

namespace {

using Point = std::span<const double>;

double distance(Point a, const double* centre) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - centre[c]) * (a[c] - centre[c]);
  return std::sqrt(sum);
}

/// The nearest centre of a point, and the next.
struct Two {
  std::size_t first = 0, second = 0;
  double to_first = kasen::infinity, to_second = kasen::infinity;
};

Two nearest_two(Point point, const std::vector<double>& centres) {
  Two two;
  for (std::size_t j = 0; j * point.size() < centres.size(); ++j) {
    const double here = distance(point, &centres[j * point.size()]);
    if (here < two.to_first) {
      two.second = two.first, two.to_second = two.to_first;
      two.first = j, two.to_first = here;
    } else if (here < two.to_second) {
      two.second = j, two.to_second = here;
    }
  }
  return two;
}

}  // namespace

ClusteringError clustering_error(const std::string& points, const kasen::io::ReadOptions& options,
                                 const std::vector<double>& centres, const std::vector<double>& previous,
                                 const std::vector<std::int64_t>& labels, double inertia) {
  const kasen::io::DenseData table = kasen::io::read_dense(kasen::workers::communicator(), points, options);
  const std::size_t d = table.columns, k = centres.size() / d;
  std::vector<double> sum(centres.size()), count(k), doubt(k);
  ClusteringError error;
  double total = 0, scale = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const Point point(&table.values[i * d], d);
    for (const double x : point) scale = std::max(scale, std::abs(x));
    const double nearest = nearest_two(point, centres).to_first;
    const auto label = static_cast<std::size_t>(labels[i]);
    const double own = label < k ? distance(point, &centres[label * d]) : kasen::infinity;
    total += own * own;
    if (own > nearest) error.label = std::max(error.label, (own - nearest) / own);
    if (!(own < kasen::infinity)) error.label = kasen::infinity;
    if (previous.empty()) continue;
    const Two two = nearest_two(point, previous);
    for (std::size_t c = 0; c < d; ++c) sum[two.first * d + c] += point[c];
    count[two.first] += 1;
    if (two.to_second > two.to_first * (1 + 1e-9)) continue;
    doubt[two.first] += 2 * two.to_first;
    doubt[two.second] += 2 * two.to_second;
  }
  total = kasen::workers::sum(total);
  scale = kasen::workers::max(scale);
  error.label = kasen::workers::max(error.label);
  error.inertia = std::abs(total - inertia) / (total > 0 ? total : 1);
  if (!std::isfinite(inertia)) error.inertia = kasen::infinity;
  if (previous.empty()) return error;
  sum = sum_over_workers(sum), count = sum_over_workers(count), doubt = sum_over_workers(doubt);
  for (std::size_t j = 0; j < k; ++j) {
    std::vector<double> mean(&previous[j * d], &previous[j * d] + d);
    if (count[j] > 0)
      std::transform(&sum[j * d], &sum[j * d] + d, mean.begin(), [&](double s) { return s / count[j]; });
    const double off = distance(mean, &centres[j * d]) - doubt[j] / std::max(count[j], 1.0);
    error.centre = std::max(error.centre, std::isnan(off) ? kasen::infinity : off / (scale > 0 ? scale : 1));
  }
  return error;
}

}  // namespace apps
