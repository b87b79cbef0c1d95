#include "apps/learn/verify_gmm.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "apps/common/largest.h"
#include "apps/common/plain_sum.h"
#include "kasen/functors.h"
#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {

namespace {

using Point = std::span<const double>;

/// The log of the least share that is not nothing, as of `exponentials`.
constexpr double kLeastLog = -600;

/// By component, the logs of weight times density; returned is the log of their sum.
double log_densities(Point x, const Components& components, std::vector<double>& logs) {
  const std::size_t d = x.size();
  for (std::size_t k = 0; k < logs.size(); ++k) {
    logs[k] = components.weights[k] > 0 ? std::log(components.weights[k]) : -kasen::infinity;
    for (std::size_t c = 0; c < d; ++c) {
      const double variance = components.variances[k * d + c], off = x[c] - components.means[k * d + c];
      logs[k] -= 0.5 * (std::log(2 * std::numbers::pi * variance) + off * off / variance);
    }
  }
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - most);
  return most + std::log(sum);
}

/// What all points add to each component: `term` writes for each coordinate of a point its multiple of the share.
template <class Term>
std::vector<double> sums_of_shares(const kasen::io::DenseData& table, const Components& components, const Term& term) {
  const std::size_t d = table.columns, k = components.weights.size();
  std::vector<double> sums(k * d), logs(k);
  for (std::size_t i = 0; i * d < table.values.size(); ++i) {
    const Point x(&table.values[i * d], d);
    const double log = log_densities(x, components, logs);
    for (std::size_t at = 0; at < k * d; ++at) {
      const double share = logs[at / d] - log < kLeastLog ? 0 : std::exp(logs[at / d] - log);
      sums[at] += share * term(at, x[at % d]);
    }
  }
  return sum_over_workers(sums);
}

double apart(double a, double b) { return std::isnan(a - b) ? kasen::infinity : std::abs(a - b); }

/// How far the components are from those that an iteration makes of the previous ones.
double iteration_error(const kasen::io::DenseData& table, const Mixing& mixing, const MixtureClaim& claim) {
  const std::size_t d = table.columns, k = claim.components.weights.size();
  const std::vector<double> count = sums_of_shares(table, claim.previous, [](std::size_t, double) { return 1.0; });
  std::vector<double> means = sums_of_shares(table, claim.previous, [](std::size_t, double x) { return x; });
  const auto n = static_cast<double>(table.rows);
  std::vector<double> centre(d), spread(d);
  for (std::size_t at = 0; at < table.values.size(); ++at) centre[at % d] += table.values[at] / n;
  centre = sum_over_workers(centre);
  double scale = 0;
  for (std::size_t at = 0; at < table.values.size(); ++at) {
    spread[at % d] += (table.values[at] - centre[at % d]) * (table.values[at] - centre[at % d]) / n;
    scale = std::max(scale, std::abs(table.values[at]));
  }
  spread = sum_over_workers(spread);
  scale = std::max(kasen::workers::max(scale), 1e-300);
  for (std::size_t at = 0; at < k * d; ++at)
    means[at] = count[at] > 0 ? means[at] / count[at] : claim.previous.means[at];
  const std::vector<double> squares = sums_of_shares(
      table, claim.previous, [&](std::size_t at, double x) { return (x - means[at]) * (x - means[at]); });
  double error = 0;
  for (std::size_t at = 0; at < k * d; ++at) {
    keep_larger(error, apart(claim.components.weights[at / d], count[at] / n));
    keep_larger(error, apart(claim.components.means[at], means[at]) / scale);
    const bool constant = std::sqrt(spread[at % d]) <= 1e-12 * std::abs(centre[at % d]);
    const double least = mixing.least_variance * (constant ? 1 : spread[at % d]);
    const double variance = count[at] > 0 ? std::max(squares[at] / count[at], least) : claim.previous.variances[at];
    keep_larger(error, apart(claim.components.variances[at], variance) / variance);
  }
  return error;
}

}  // namespace

MixtureError mixture_error(const std::string& points, const kasen::io::ReadOptions& options, const Mixing& mixing,
                           const MixtureClaim& claim) {
  const kasen::io::DenseData table = kasen::io::read_dense(kasen::workers::communicator(), points, options);
  const std::size_t d = table.columns, k = claim.components.weights.size();
  std::vector<double> logs(k);
  MixtureError error;
  double sum = 0;
  for (std::size_t i = 0; i < claim.labels.size(); ++i) {
    sum += log_densities(Point(&table.values[i * d], d), claim.components, logs);
    const auto label = static_cast<std::size_t>(claim.labels[i]);
    const double most = *std::max_element(logs.begin(), logs.end());
    const double off = apart(most, label < k ? logs[label] : -kasen::infinity);
    keep_larger(error.label, off / std::max(1.0, std::abs(most)));
  }
  error.label = kasen::workers::max(error.label);
  sum = kasen::workers::sum(sum);
  const auto n = static_cast<double>(table.rows);
  error.likelihood = apart(claim.log_likelihood, sum) / n / std::max(1.0, std::abs(sum / n));
  if (claim.improved) error.component = iteration_error(table, mixing, claim);
  return error;
}

}  // namespace apps
