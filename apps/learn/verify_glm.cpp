#include "apps/learn/verify_glm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/common/largest.h"
#include "apps/common/plain_samples.h"
#include "kasen/base/random.h"
#include "kasen/functors.h"

namespace apps {

namespace {

using Numbers = std::vector<double>;

/// Means of links that have limits stay so far from these.
constexpr double kLeast = 2.220446049250313e-16;

double mean_of(Link link, double score) {
  switch (link) {
    case Link::identity:
      return score;
    case Link::log:
      return std::max(std::exp(score), kLeast);
    case Link::logit:
      return std::clamp(1 / (1 + std::exp(-score)), kLeast, 1 - kLeast);
    case Link::probit:
      return std::clamp(std::erfc(-score / std::sqrt(2.0)) / 2, kLeast, 1 - kLeast);
    case Link::inverse:
      return 1 / score;
  }
  return score;
}
/// The derivative of the mean by the score.
double slope_of(Link link, double score, double mean) {
  switch (link) {
    case Link::identity:
      return 1;
    case Link::log:
      return mean;
    case Link::logit:
      return mean * (1 - mean);
    case Link::probit:
      return std::exp(-score * score / 2) / std::sqrt(2 * std::acos(-1.0));
    case Link::inverse:
      return -mean * mean;
  }
  return 1;
}
double variance_of(Family family, double mean) {
  switch (family) {
    case Family::gaussian:
      return 1;
    case Family::poisson:
      return mean;
    case Family::gamma:
      return mean * mean;
    case Family::binomial:
      return mean * (1 - mean);
  }
  return 1;
}
double times_log(double y, double ratio) { return y > 0 ? y * std::log(ratio) : 0; }
double deviance_of(Family family, double y, double mean) {
  switch (family) {
    case Family::gaussian:
      return (y - mean) * (y - mean);
    case Family::poisson:
      return 2 * (times_log(y, y / mean) - (y - mean));
    case Family::gamma:
      return 2 * ((y - mean) / mean - std::log(y / mean));
    case Family::binomial:
      return 2 * (times_log(y, y / mean) + times_log(1 - y, (1 - y) / (1 - mean)));
  }
  return 0;
}

/// The problem by its definition; weights with the constant's last, which is 0 if there is none.
class PlainGlm {
 public:
  PlainGlm(const PlainSamples& samples, const GlmProblem& problem) : _samples(samples), _problem(problem) {
    _targets = samples.labels();
    const auto [least, most] = std::minmax_element(_targets.begin(), _targets.end());
    const double low = *least, high = *most;
    if (problem.family == Family::binomial && (low < 0 || high > 1))
      for (double& y : _targets) y = y == high ? 1 : 0;
  }
  double penalty(const Numbers& w) const {
    double sum = 0;
    for (std::size_t j = 0; j + 1 < w.size(); ++j) sum += _problem.l2 * w[j] * w[j];
    return sum;
  }
  double deviance(const Numbers& w) const {
    const Numbers scores = _samples.scores(w);
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      sum += deviance_of(_problem.family, _targets[i], mean_of(_problem.link, scores[i]));
    return sum;
  }
  double pearson(const Numbers& w) const {
    const Numbers scores = _samples.scores(w);
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double mean = mean_of(_problem.link, scores[i]), off = _targets[i] - mean;
      sum += off * off / variance_of(_problem.family, mean);
    }
    return sum;
  }
  /// The gradient of deviance and penalty. @param sizes by weight, the sum of what its terms are without their signs
  Numbers gradient(const Numbers& w, double& scale) const {
    Numbers slopes = _samples.scores(w);
    double terms = 0;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      const double mean = mean_of(_problem.link, slopes[i]);
      slopes[i] =
          -2 * (_targets[i] - mean) * slope_of(_problem.link, slopes[i], mean) / variance_of(_problem.family, mean);
      terms += slopes[i] * slopes[i];
    }
    if (_problem.family != Family::gaussian) terms += 1e-12 * static_cast<double>(slopes.size());  // all is explained
    Numbers g = _samples.combined(slopes);
    for (std::size_t j = 0; j + 1 < w.size(); ++j) g[j] += 2 * _problem.l2 * w[j];
    if (!_problem.constant) g.back() = 0;
    scale = std::sqrt(terms);
    return g;
  }

 private:
  const PlainSamples& _samples;
  const GlmProblem& _problem;
  Numbers _targets;
};

double relative(double difference, double scale) {
  return std::isnan(difference) ? kasen::infinity : difference == 0 ? 0 : std::abs(difference) / scale;
}

}  // namespace

std::string GlmError::text() const {
  return fmt::format("objective within {:.1g}, differences within {:.1g}, gradient {:.2g}", objective, differences,
                     left);
}

GlmError glm_error(const SampleFile& file, const GlmProblem& problem, const GlmClaim& claim, bool fitted) {
  const std::size_t features = claim.weights.size() - (problem.constant ? 1 : 0);
  const PlainSamples samples(file, features);
  const PlainGlm plain(samples, problem);
  Numbers w = claim.weights;
  w.resize(features + 1);
  GlmError error;
  const double deviance = plain.deviance(w), pearson = plain.pearson(w),
               n = static_cast<double>(samples.labels().size());
  const auto apart = [&](double claimed, double found) {
    const bool alike = claimed == found || (std::isnan(claimed) && std::isnan(found));
    return alike ? 0 : relative(claimed - found, std::max(found, n * 1e-9));
  };
  keep_larger(error.objective, apart(claim.deviance, deviance));
  keep_larger(error.objective, apart(claim.pearson, pearson));
  if (!fitted) return error;
  keep_larger(error.objective, apart(claim.objective, deviance + plain.penalty(w)));
  double terms = 0;
  const Numbers gradient = plain.gradient(w, terms);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {  // along -1 and +1 in an order that no data has
    Numbers ahead = w, behind = w, along(w.size());
    for (std::size_t j = 0; j < claim.weights.size(); ++j) along[j] = kasen::random_unit(seed, j) < 0.5 ? -1 : 1;
    double longest = 0, most = 0, slope = 0, squares = 0;
    for (const double score : samples.scores(along))
      longest = std::max(longest, std::abs(score)), squares += score * score;
    for (const double score : samples.scores(w)) most = std::max(most, std::abs(score));
    const double h = 1e-5 * std::max(1.0, most) / (longest > 0 ? longest : 1);
    for (std::size_t j = 0; j < w.size(); ++j) {
      ahead[j] += h * along[j], behind[j] -= h * along[j];
      slope += gradient[j] * along[j];
    }
    const double found =
        (plain.deviance(ahead) + plain.penalty(ahead) - plain.deviance(behind) - plain.penalty(behind)) / (2 * h);
    const double scale = terms * std::sqrt(squares) + std::abs(plain.penalty(ahead) - plain.penalty(behind)) / h +
                         1e-10 * std::abs(deviance) / h +                       // what rounding may hide, of the
                         1e-10 * std::max(1.0, most) * std::sqrt(n * squares);  // deviance and of scores
    keep_larger(error.differences, relative(found - slope, std::max(scale, 1e-300)));
  }
  double squares = 0;
  for (const double g : gradient) squares += g * g;
  error.left = std::sqrt(squares) / std::max(terms, 1e-300);
  return error;
}

}  // namespace apps
