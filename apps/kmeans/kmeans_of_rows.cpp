#include <algorithm>
#include <cmath>
#include <cstdint>
#include <experimental/simd>
#include <span>

#include "apps/common/known_values.h"
#include "apps/kmeans/kmeans.h"

namespace apps {

using kasen::Rows;
using kasen::RowsView;
using kasen::Shared;
using kasen::Vector;
using kasen::whole;
using kasen::width;

namespace {

using Point = std::span<const double>;

/// Distances to so many centres are computed together, a lane for each.
constexpr std::size_t kLanes = 16;
namespace simd = std::experimental;
using Lanes = simd::fixed_size_simd<double, kLanes>;

struct Nearest {
  double distance;  ///< squared
  std::int64_t cluster;
};

/// By coordinate, that of each centre; centres at infinity, to which no point belongs, fill the last lanes.
Rows<double> by_coordinate(const Rows<double>& centres) {
  const auto transpose = [](std::int64_t coordinate, const RowsView<double>& all, std::span<double> out) {
    for (std::size_t j = 0; j < out.size(); ++j)
      out[j] = j < all.size() ? all[j][static_cast<std::size_t>(coordinate)] : kasen::infinity;
  };
  const std::uint64_t lanes = (centres.length() + kLanes - 1) / kLanes * kLanes;
  return kasen::map(transpose, kasen::iota(kasen::Space(centres.width())), whole(centres), width(lanes));
}

constexpr auto nearest_centre = [](Point x, const RowsView<double>& centres) {
  Nearest nearest{kasen::infinity, 0};
  for (std::size_t first = 0; first < centres.width(); first += kLanes) {
    double sums[kLanes] = {};
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double* const at = &centres[c][first];
#pragma omp simd
      for (std::size_t j = 0; j < kLanes; ++j) sums[j] += (x[c] - at[j]) * (x[c] - at[j]);
    }
    const Lanes distance(sums, simd::element_aligned);
    const double least = hmin(distance);
    if (least < nearest.distance)
      nearest = {least, static_cast<std::int64_t>(first) + find_first_set(distance == least)};
  }
  return nearest;
};

}  // namespace

Clustering kmeans_of_rows(const Rows<double>& points, const std::vector<double>& initial, const Stopping& stopping) {
  const std::uint64_t d = points.width();
  const kasen::Space clusters = kasen::separate_space(initial.size() / d, "clusters");
  Rows<double> centres = known_rows(clusters, d, initial);
  Rows<double> previous = centres;
  Shared<double> shift = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;
  const auto distance = [](const Nearest& n) { return n.distance; };
  const auto cluster = [](const Nearest& n) { return n.cluster; };

  kasen::while_(kasen::likely([&] { return stopping.goes_on(shift, iteration); }), [&] {
    const auto nearest = kasen::map(nearest_centre, points, whole(by_coordinate(centres)));
    const auto own = kasen::map(cluster, nearest);
    const auto sums = kasen::reduce_by_key(kasen::plus, own, points, clusters);
    const auto counts =
        kasen::reduce_by_key(kasen::plus, own, kasen::constant(kasen::Space(points.length()), 1.0), clusters);
    const auto mean = [](Point sum, Point from, double n, std::span<double> out) {
      for (std::size_t c = 0; c < out.size(); ++c) out[c] = n > 0 ? sum[c] / n : from[c];
    };
    previous = centres;
    centres = kasen::zip_with(mean, sums, centres, counts, width(d));
    const auto step = [](Point to, Point from) { return kasen::squared_distance(to, from); };
    shift = kasen::sqrt(kasen::reduce(kasen::max, kasen::zip_with(step, centres, previous)));
    iteration = iteration + 1;
    kasen::track("inertia", kasen::reduce(kasen::plus, kasen::map(distance, nearest)));
    kasen::track("shift", shift);
  });

  const auto nearest = kasen::map(nearest_centre, points, whole(by_coordinate(centres)));
  return {centres.get(), previous.get(), kasen::map(cluster, nearest),
          kasen::reduce(kasen::plus, kasen::map(distance, nearest)), shift};
}

}  // namespace apps
