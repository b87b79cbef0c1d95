#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/kmeans/kmeans.h"

namespace apps {

using kasen::apply;
using kasen::Shared;

namespace {

double squared(double x) { return x * x; }

}  // namespace

SharedNumbers places_of(const SharedNumbers& centres) {
  SharedNumbers result;
  for (std::size_t j = 0; j < centres.size(); ++j) {
    Shared<double> place = centres[j];
    for (std::size_t i = 0; i < j; ++i) {
      const auto unless = [](double p, double c) { return p == c ? std::numeric_limits<double>::quiet_NaN() : p; };
      place = apply(unless, place, centres[i]);
    }
    result.push_back(place);
  }
  return result;
}

kasen::Vector<double> nearest_centres(const kasen::Vector<double>& points, const SharedNumbers& centres) {
  auto nearest = kasen::map([](double, double c) { return c; }, points, centres[0]);
  for (std::size_t j = 1; j < centres.size(); ++j) {
    const auto nearer = [](double best, double x, double c) { return std::abs(x - c) < std::abs(x - best) ? c : best; };
    nearest = kasen::zip_with(nearer, nearest, points, centres[j]);
  }
  return nearest;
}

std::vector<Shared<Cluster>> clusters(const kasen::Vector<double>& points, const kasen::Vector<double>& nearest,
                                      const SharedNumbers& places) {
  std::vector<Shared<Cluster>> result;
  for (const Shared<double>& place : places) {
    const auto member = [](double at, double x, double p) { return at == p ? Cluster{x, 1} : Cluster{0, 0}; };
    result.push_back(kasen::reduce(kasen::plus, kasen::zip_with(member, nearest, points, place)));
  }
  return result;
}

Clustering kmeans_of_numbers(const kasen::Vector<double>& points, const std::vector<double>& initial,
                             const Stopping& stopping) {
  SharedNumbers centres(initial.begin(), initial.end()), previous = centres;
  Shared<double> shift = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;
  const auto mean = kasen::reduce(kasen::plus, points) / static_cast<double>(points.length());
  const auto spread =
      kasen::reduce(kasen::plus, kasen::map([](double x, double m) { return squared(x - m); }, points, mean));

  kasen::while_(kasen::likely([&] { return stopping.goes_on(shift, iteration); }), [&] {
    const SharedNumbers places = places_of(centres);  // recorded first: one sweep waits for nothing in between
    const auto found = clusters(points, nearest_centres(points, centres), places);
    Shared<double> moved = 0.0, inertia = spread;
    for (std::size_t j = 0; j < centres.size(); ++j) {
      const auto next =
          apply([](Cluster a, double c) { return a.points > 0 ? a.sum / a.points : c; }, found[j], centres[j]);
      moved = apply([](double most, double to, double from) { return std::max(most, std::abs(to - from)); }, moved,
                    next, centres[j]);
      inertia = inertia + apply(
                              [](Cluster a, double c, double m) {  // the sum of (x - c)^2 - (x - m)^2
                                return a.points * squared(c - m) - 2 * (c - m) * (a.sum - a.points * m);
                              },
                              found[j], centres[j], mean);
      previous[j] = centres[j];
      centres[j] = next;
    }
    shift = moved;
    iteration = iteration + 1;
    kasen::track("inertia", inertia);
    kasen::track("shift", shift);
  });

  const SharedNumbers places = places_of(centres);
  const auto nearest = nearest_centres(points, centres);
  auto labels = kasen::map([](double) { return std::int64_t{0}; }, nearest);
  for (std::size_t j = 1; j < centres.size(); ++j) {
    labels =
        kasen::zip_with([](std::int64_t label, double n, double p, std::int64_t own) { return n == p ? own : label; },
                        labels, nearest, places[j], static_cast<std::int64_t>(j));
  }
  const auto inertia =
      kasen::reduce(kasen::plus, kasen::zip_with([](double x, double n) { return squared(x - n); }, points, nearest));
  Clustering result{{}, {}, labels, inertia, shift};
  for (const Shared<double>& centre : centres) result.centres.push_back(centre.get());
  for (const Shared<double>& centre : previous) result.previous.push_back(centre.get());
  return result;
}

}  // namespace apps
