#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "apps/kmeans/kmeans.h"

namespace apps {

using kasen::Shared;
using kasen::Vector;

namespace {

/// Centres go eight at a time: a coordinate of each, a distance to each, a sum for each.
constexpr std::size_t kGroup = 8;
using Eight = std::array<double, kGroup>;

template <class F>
Eight each(F f) {
  Eight result;
#pragma GCC unroll 8
  for (std::size_t j = 0; j < kGroup; ++j) result[j] = f(j);
  return result;
}

struct Add {
  static constexpr const char* name = "add";
  template <class T>
  static constexpr T identity() {
    return {};
  }
  Eight operator()(const Eight& a, const Eight& b) const {
    return each([&](std::size_t j) { return a[j] + b[j]; });
  }
};

/// Of one coordinate: what it adds to the squared distances.
struct SquaredDifference {
  static constexpr const char* name = "squared_difference";
  Eight operator()(const Eight& centre, double x) const {
    return each([&](std::size_t j) { return (x - centre[j]) * (x - centre[j]); });
  }
};

/// Of one coordinate of a point: what it adds to the sums of a group. Its share is 1 of the centre that it belongs to,
/// and else 0. (Inertia that is not finite is refused, so x is finite.)
struct Contribution {
  static constexpr const char* name = "contribution";
  Eight operator()(const Eight& share, double x) const {
    return each([&](std::size_t j) { return share[j] * x; });
  }
};

struct Nearest {
  double distance;  ///< squared
  std::int64_t cluster;
};

using Groups = std::vector<Vector<Eight>>;  ///< by coordinate, of each eight centres

/// What is left of the last eight are centres at infinity, to which no point belongs.
Groups grouped(kasen::Space coordinates, const std::vector<double>& centres) {
  const std::uint64_t d = coordinates.length(), k = centres.size() / d;
  const kasen::BlockRange block = kasen::block_of(coordinates);
  Groups groups;
  for (std::uint64_t first = 0; first < k; first += kGroup) {
    std::vector<Eight> mine(block.count);
    for (std::uint64_t c = 0; c < block.count; ++c) {
      const std::uint64_t at = static_cast<std::uint64_t>(block.first) + c;
      mine[c] = each([&](std::size_t j) { return first + j < k ? centres[(first + j) * d + at] : kasen::infinity; });
    }
    groups.push_back(kasen::make_vector<Eight>(coordinates, std::span<const Eight>(mine)));
  }
  return groups;
}

/// The other way round; `size` numbers without those at infinity.
std::vector<double> ungrouped(const Groups& groups, std::size_t size) {
  std::vector<double> centres(size);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<Eight> coordinates = groups[g].get();
    for (std::size_t c = 0; c < coordinates.size(); ++c) {
      for (std::size_t j = 0; j < kGroup; ++j) {
        const std::size_t at = (g * kGroup + j) * coordinates.size() + c;
        if (at < size) centres[at] = coordinates[c][j];
      }
    }
  }
  return centres;
}

Vector<Nearest> nearest_centres(const kasen::Matrix<double>& points, const Groups& centres) {
  std::vector<Vector<Eight>> distances;
  for (const auto& group : centres) distances.push_back(kasen::mxvt(SquaredDifference{}, Add{}, points, group));
  auto nearest = kasen::map([](const Eight&) { return Nearest{kasen::infinity, 0}; }, distances[0]);
  for (std::size_t g = 0; g < distances.size(); ++g) {
    const auto nearer = [](Nearest best, const Eight& distance, std::int64_t first) {
      for (std::size_t j = 0; j < kGroup; ++j) {
        if (distance[j] < best.distance) best = {distance[j], first + static_cast<std::int64_t>(j)};
      }
      return best;
    };
    nearest = kasen::zip_with(nearer, nearest, distances[g], static_cast<std::int64_t>(g * kGroup));
  }
  return nearest;
}

}  // namespace

Clustering kmeans_of_rows(const kasen::Matrix<double>& points, const std::vector<double>& initial,
                          const Stopping& stopping) {
  Groups centres = grouped(points.columns(), initial), previous = centres;
  Shared<double> shift = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return stopping.goes_on(shift, iteration); }), [&] {
    const auto nearest = nearest_centres(points, centres);
    const auto inertia = kasen::reduce(kasen::plus, kasen::map([](const Nearest& n) { return n.distance; }, nearest));
    std::vector<Vector<Eight>> sums;
    std::vector<Shared<Eight>> counts;
    for (std::size_t g = 0; g < centres.size(); ++g) {
      const auto share_of = [](const Nearest& n, std::int64_t first) {
        return each(
            [&](std::size_t j) { return static_cast<double>(n.cluster == first + static_cast<std::int64_t>(j)); });
      };
      const auto share = kasen::map(share_of, nearest, static_cast<std::int64_t>(g * kGroup));
      counts.push_back(kasen::reduce(Add{}, share));
      sums.push_back(kasen::mxv(Contribution{}, Add{}, points, share));
    }
    Shared<double> moved = 0.0;
    for (std::size_t g = 0; g < centres.size(); ++g) {
      const auto mean = [](const Eight& sum, const Eight& from, const Eight& n) {
        return each([&](std::size_t j) { return n[j] > 0 ? sum[j] / n[j] : from[j]; });
      };
      const auto step = [](const Eight& to, const Eight& from) {  // of a centre that stays, at infinity too: 0
        return each([&](std::size_t j) { return to[j] == from[j] ? 0.0 : (to[j] - from[j]) * (to[j] - from[j]); });
      };
      const auto next = kasen::zip_with(mean, sums[g], centres[g], counts[g]);
      const auto most = [](double so_far, const Eight& squares) {
        return std::max(so_far, std::sqrt(*std::max_element(squares.begin(), squares.end())));
      };
      moved = kasen::apply(most, moved, kasen::reduce(Add{}, kasen::zip_with(step, next, centres[g])));
      previous[g] = centres[g];
      centres[g] = next;
    }
    shift = moved;
    iteration = iteration + 1;
    kasen::track("inertia", inertia);
    kasen::track("shift", shift);
  });

  const auto nearest = nearest_centres(points, centres);
  Clustering result{{},
                    {},
                    kasen::map([](const Nearest& n) { return n.cluster; }, nearest),
                    kasen::reduce(kasen::plus, kasen::map([](const Nearest& n) { return n.distance; }, nearest)),
                    shift};
  result.centres = ungrouped(centres, initial.size());
  result.previous = ungrouped(previous, initial.size());
  return result;
}

}  // namespace apps
