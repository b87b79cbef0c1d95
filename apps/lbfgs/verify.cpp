#include "apps/lbfgs/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "apps/common/largest.h"
#include "apps/common/plain_samples.h"

namespace apps {
namespace {

using Numbers = std::vector<double>;

/// Weights over features, then the intercept.
double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double loss_of(Loss loss, double score, double y) {
  if (loss == Loss::squared) return (score - y) * (score - y) / 2;
  if (loss == Loss::squared_hinge) return y * score < 1 ? (1 - y * score) * (1 - y * score) : 0;
  return y * score > 0 ? std::log1p(std::exp(-y * score)) : std::log1p(std::exp(y * score)) - y * score;
}
double loss_slope(Loss loss, double score, double y) {
  if (loss == Loss::squared) return score - y;
  if (loss == Loss::squared_hinge) return y * score < 1 ? -2 * y * (1 - y * score) : 0;
  return y * score > 0 ? -y * std::exp(-y * score) / (1 + std::exp(-y * score)) : -y / (1 + std::exp(y * score));
}

/// One problem, by its definition.
class PlainProblem {
 public:
  PlainProblem(const PlainSamples& samples, const Training& training, Numbers targets)
      : _samples(samples), _training(training), _targets(std::move(targets)) {}

  /// The smooth part of the objective: losses and the L2 penalty.
  double smooth(const Numbers& w) const {
    const Numbers scores = _samples.scores(w);
    double sum = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) sum += loss_of(_training.loss, scores[i], _targets[i]);
    for (std::size_t j = 0; j + 1 < w.size(); ++j) sum += _training.l2 / 2 * w[j] * w[j];
    return sum;
  }
  double objective(const Numbers& w) const {
    double sum = smooth(w);
    for (std::size_t j = 0; j + 1 < w.size(); ++j) sum += _training.l1 * std::abs(w[j]);
    return sum;
  }
  /// The gradient of smooth().
  Numbers gradient(const Numbers& w) const {
    Numbers slopes = _samples.scores(w);
    for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] = loss_slope(_training.loss, slopes[i], _targets[i]);
    Numbers g = _samples.combined(slopes);
    for (std::size_t j = 0; j + 1 < w.size(); ++j) g[j] += _training.l2 * w[j];
    if (!_training.intercept) g.back() = 0;
    return g;
  }
  /// The norm of the violations of the conditions of a minimum.
  double broken_by(const Numbers& w) const {
    Numbers g = gradient(w);
    for (std::size_t j = 0; j + 1 < w.size(); ++j) {
      g[j] = w[j] != 0 ? g[j] + std::copysign(_training.l1, w[j]) : std::max(std::abs(g[j]) - _training.l1, 0.0);
    }
    return std::sqrt(dot(g, g));
  }
  /// How far differences of smooth() are from its gradient along p, relative to the gradient at 0.
  double difference_error(const Numbers& w, const Numbers& p) const {
    double longest = 0;
    for (double score : _samples.scores(p)) longest = std::max(longest, std::abs(score));
    const double h = 1e-4 / (longest > 0 ? longest : 1);
    Numbers ahead = w, behind = w;
    for (std::size_t j = 0; j < w.size(); ++j) ahead[j] += h * p[j], behind[j] -= h * p[j];
    const double slope = (smooth(ahead) - smooth(behind)) / (2 * h);
    const Numbers first = gradient(Numbers(w.size()));
    const double scale = std::sqrt(dot(first, first) * dot(p, p));
    // Weights of 0 may be the minimum: then there is rounding alone.
    const double rounding = 1e-5 * smooth(Numbers(w.size())) * std::max(longest, 1.0);
    return std::abs(slope - dot(gradient(w), p)) / std::max({scale, rounding, 1e-300});
  }

 private:
  const PlainSamples& _samples;
  const Training& _training;
  Numbers _targets;
};

/// -1 and +1 in an order that no data has.
Numbers direction(std::uint64_t seed, std::size_t length, bool intercept) {
  Numbers p(length);
  for (std::size_t j = 0; j < length; ++j) p[j] = kasen::random_unit(seed, j) < 0.5 ? -1 : 1;
  if (!intercept) p.back() = 0;
  return p;
}

double relative(double difference, double scale) { return difference == 0 ? 0 : difference / scale; }

}  // namespace

std::string TrainingError::text() const {
  return fmt::format("objective within {:.1g}, gradient {:.3g} of the first within {:.1g}, differences within {:.1g}",
                     objective, left, gradient, differences);
}

TrainingError training_error(const SampleFile& file, const Training& training, const Model& model,
                             const std::vector<Outcome>& outcomes) {
  const PlainSamples samples(file, model.weights[0].length());
  TrainingError error;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    Numbers targets = samples.labels();
    if (!model.classes.empty()) {
      const double positive = model.classes[model.classes.size() == 2 ? 1 : k];
      for (double& y : targets) y = y == positive ? 1 : -1;
    }
    const PlainProblem problem(samples, training, std::move(targets));
    Numbers w = model.weights[k].get();
    w.push_back(model.intercepts[k]);
    const Numbers start(w.size());
    const double left = relative(problem.broken_by(w), problem.broken_by(start));
    keep_larger(error.objective,
                relative(std::abs(problem.objective(w) - outcomes[k].objective), problem.objective(start)));
    keep_larger(error.gradient, std::abs(left - outcomes[k].gradient));
    keep_larger(error.left, left);
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      keep_larger(error.differences, problem.difference_error(w, direction(seed, w.size(), training.intercept)));
    }
  }
  return error;
}

}  // namespace apps
