#include "apps/learn/gmm.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "apps/common/known_values.h"
#include "apps/learn/row_functions.h"

namespace apps {

using kasen::Rows, kasen::RowsView, kasen::Shared, kasen::Vector, kasen::map, kasen::whole, kasen::width,
    kasen::zip_with;

namespace {

/// The score of a component without weight: what is next to it is infinitely more likely.
constexpr double kNever = -1e300;
/// Columns whose deviation is a smaller part of their mean are constant, but for rounding.
constexpr double kConstant = 1e-12;

/// Of a point: 1, its coordinates, their squares.
constexpr auto powers_of = [](Numbers x, std::span<double> out) {
  out[0] = 1;
  for (std::size_t c = 0; c < x.size(); ++c) out[1 + c] = x[c], out[1 + x.size() + c] = x[c] * x[c];
};

/// A component is a row of its weight, means and variances. Scores, the logs of weight times density, are the powers of
/// a point times a matrix of a column for each component; this is row `power` of it.
constexpr auto coefficients = [](std::int64_t power, const RowsView<double>& components, std::span<double> out) {
  const std::size_t d = components.width() / 2, row = static_cast<std::size_t>(power);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const double weight = components[k][0];
    const Numbers mean = components[k].subspan(1, d), variance = components[k].subspan(1 + d, d);
    if (row > 0) {
      out[k] = row <= d ? mean[row - 1] / variance[row - 1] : -0.5 / variance[row - 1 - d];
      continue;
    }
    double sum = 0;
    for (std::size_t c = 0; c < d; ++c)
      sum += std::log(2 * std::numbers::pi * variance[c]) + mean[c] * mean[c] / variance[c];
    out[k] = weight > 0 ? std::log(weight) - 0.5 * sum : kNever;
  }
};
constexpr auto most_likely = [](Numbers scores) {
  return static_cast<std::int64_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
};
/// The component of what belongs to it: sums of powers of the points.
constexpr auto improved = [](Numbers sums, Numbers from, double points, const RowsView<double>& least,
                             std::span<double> out) {
  const std::size_t d = least.width();
  std::copy(from.begin(), from.end(), out.begin());
  out[0] = sums[0] / points;
  for (std::size_t c = 0; c < d && !(sums[0] <= 0); ++c) {
    const double mean = sums[1 + c] / sums[0];
    out[1 + c] = mean;
    out[1 + d + c] = std::max(sums[1 + d + c] / sums[0] - mean * mean, least[0][c]);
  }
};
constexpr auto less = [](Numbers x, const RowsView<double>& by, std::span<double> out) {
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = x[c] - by[0][c];
};

/// The mean of the numbers that f makes of the points, as one row.
template <class F>
Rows<double> mean_of(const F& f, const Rows<double>& points) {
  const Rows<double> one = map([](Numbers, std::span<double> out) { out[0] = 1; }, points, width(1));
  const auto divided = [](Numbers sum, double by, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = sum[c] / by;
  };
  return map(divided, kasen::cross(one, map(f, points, width(points.width()))), static_cast<double>(points.length()),
             width(points.width()));
}

/// Points around their mean, where squares are as small as they can be: they cancel.
struct Centred {
  Rows<double> X, centre, spread;  ///< the mean, and the variances of columns; 1 of constant ones
};
Centred centred(const Rows<double>& points) {
  const auto row = width(points.width());
  const auto copy = [](Numbers x, std::span<double> out) { std::copy(x.begin(), x.end(), out.begin()); };
  const auto square = [](Numbers x, std::span<double> out) {
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = x[c] * x[c];
  };
  const auto or_one = [](Numbers variance, Numbers mean, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c)
      out[c] = std::sqrt(variance[c]) <= kConstant * std::abs(mean[c]) ? 1 : variance[c];
  };
  const Rows<double> centre = mean_of(copy, points), X = map(less, points, whole(centre), row);
  return {X, centre, zip_with(or_one, mean_of(square, X), centre, row)};
}

/// Components of equal weights that would fill the columns' spread side by side.
Rows<double> first_components(const std::vector<double>& means, const Centred& points) {
  const std::uint64_t d = points.X.width(), k = means.size() / d;
  const auto first = [](Numbers mean, double weight, double part, const RowsView<double>& spread,
                        std::span<double> out) {
    out[0] = weight;
    for (std::size_t c = 0; c < mean.size(); ++c) out[1 + c] = mean[c], out[1 + mean.size() + c] = part * spread[0][c];
  };
  const auto share = 1 / static_cast<double>(k);
  return map(first, map(less, known_rows(kasen::Space(k), d, means), whole(points.centre), width(d)), share,
             std::pow(share, 2 / static_cast<double>(d)), whole(points.spread), width(1 + 2 * d));
}

/// By what powers of a point are multiplied to get its scores.
Rows<double> coefficients_of(const Rows<double>& components) {
  const kasen::Space powers(components.width());
  return map(coefficients, kasen::iota(powers), whole(components), width(components.length()));
}

Components unpacked(const Rows<double>& components, const Rows<double>& centre) {
  const std::vector<double> all = components.get(), shift = centre.get();
  const std::size_t d = shift.size();
  Components result;
  for (std::size_t at = 0; at < all.size(); at += 1 + 2 * d) {
    result.weights.push_back(all[at]);
    for (std::size_t c = 0; c < d; ++c) result.means.push_back(all[at + 1 + c] + shift[c]);
    for (std::size_t c = 0; c < d; ++c) result.variances.push_back(all[at + 1 + d + c]);
  }
  return result;
}

}  // namespace

Mixture gmm(const Rows<double>& points, const std::vector<double>& means, const Mixing& mixing) {
  const std::uint64_t d = points.width(), k = means.size() / d;
  const auto n = static_cast<double>(points.length());
  const auto row = width(1 + 2 * d);
  const Centred around_mean = centred(points);
  const Rows<double>& X = around_mean.X;
  const auto part = [](Numbers x, double of, std::span<double> out) {
    for (std::size_t c = 0; c < out.size(); ++c) out[c] = of * x[c];
  };
  const Rows<double> least = map(part, around_mean.spread, mixing.least_variance, width(d));
  Rows<double> components = first_components(means, around_mean);
  Rows<double> previous = components;
  Shared<double> likelihood = -kasen::infinity, change = kasen::infinity;
  Shared<std::uint64_t> iteration = 0;

  kasen::while_(kasen::likely([&] { return mixing.stopping.goes_on(change, iteration); }), [&] {
    const Rows<double> by = coefficients_of(components);
    const Rows<double> powers = map(powers_of, X, row), score = kasen::product(powers, whole(by));
    const Rows<double> likely = map(exponentials, score, width(k));
    const Vector<double> log = zip_with(log_of_sum, score, likely);
    const Rows<double> sums = kasen::cross(map(shares, likely, width(k)), powers);
    previous = components;
    components = zip_with(improved, sums, components, n, whole(least), row);
    const Shared<double> now = kasen::reduce(kasen::plus, log) / n;
    change = now - likelihood;
    likelihood = now;
    iteration = iteration + 1;
    kasen::track("log-likelihood", likelihood);
    kasen::track("change", change);
  });

  Vector<std::int64_t> labels;
  Shared<double> sum;
  {  // after which nothing refers to scores
    const Rows<double> by = coefficients_of(components), powers = map(powers_of, X, row);
    const Rows<double> score = kasen::product(powers, whole(by));
    labels = map(most_likely, score);
    sum = kasen::reduce(kasen::plus, zip_with(log_of_sum, score, map(exponentials, score, width(k))));
  }
  return {unpacked(components, around_mean.centre), unpacked(previous, around_mean.centre), labels, sum.get()};
}

double log_likelihood(const Rows<double>& points, const Components& components) {
  const std::uint64_t d = points.width(), k = components.weights.size();
  std::vector<double> centre(d), all;  // the mean of the mixture
  for (std::size_t at = 0; at < k * d; ++at) centre[at % d] += components.weights[at / d] * components.means[at];
  for (std::size_t j = 0; j < k; ++j) {
    all.push_back(components.weights[j]);
    for (std::size_t c = 0; c < d; ++c) all.push_back(components.means[j * d + c] - centre[c]);
    all.insert(all.end(), &components.variances[j * d], &components.variances[j * d] + d);
  }
  const auto row = width(1 + 2 * d);
  const Rows<double> X = map(less, points, whole(known_rows(kasen::Space(1), d, centre)), width(d));
  const Rows<double> by = coefficients_of(known_rows(kasen::Space(k), 1 + 2 * d, all));
  const Rows<double> score = kasen::product(map(powers_of, X, row), whole(by));
  return kasen::reduce(kasen::plus, zip_with(log_of_sum, score, map(exponentials, score, width(k)))).get();
}

}  // namespace apps
