#include "apps/learn/verify_mlogreg.h"

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

constexpr double kRounding = 1e-5;  ///< of the objective: a millionth of it is what rounding makes of differences

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

/// The problem by its definition; weights of a class after the other, each with the constant's last.
class PlainProblem {
 public:
  PlainProblem(const PlainSamples& samples, const Numbers& classes, double l2, bool constant)
      : _samples(samples), _classes(classes), _l2(l2), _constant(constant) {}

  double objective(const std::vector<Numbers>& w) const { return visit(w, nullptr); }
  std::vector<Numbers> gradient(const std::vector<Numbers>& w) const {
    std::vector<Numbers> slopes;
    visit(w, &slopes);
    for (std::size_t k = 0; k < w.size(); ++k) {
      slopes[k] = _samples.combined(slopes[k]);
      for (std::size_t j = 0; j + 1 < w[k].size(); ++j) slopes[k][j] += _l2 * w[k][j];
      if (!_constant) slopes[k].back() = 0;
    }
    return slopes;
  }

 private:
  /// The objective; by class and sample, the derivative by the score goes to `slopes`.
  double visit(const std::vector<Numbers>& w, std::vector<Numbers>* slopes) const {
    std::vector<Numbers> scores;
    double sum = 0;
    for (const Numbers& of_class : w) {
      scores.push_back(_samples.scores(of_class));
      for (std::size_t j = 0; j + 1 < of_class.size(); ++j) sum += _l2 / 2 * of_class[j] * of_class[j];
    }
    if (slopes != nullptr) *slopes = scores;
    for (std::size_t i = 0; i < _samples.labels().size(); ++i) {
      double most = -kasen::infinity, total = 0, own = -kasen::infinity;
      for (const Numbers& of_class : scores) most = std::max(most, of_class[i]);
      for (const Numbers& of_class : scores) total += std::exp(of_class[i] - most);
      for (std::size_t k = 0; k < w.size(); ++k) {
        const bool is_own = _samples.labels()[i] == _classes[k];
        if (is_own) own = scores[k][i];
        if (slopes != nullptr) (*slopes)[k][i] = std::exp(scores[k][i] - most) / total - (is_own ? 1 : 0);
      }
      sum += most + std::log(total) - own;
    }
    return sum;
  }
  const PlainSamples& _samples;
  const Numbers& _classes;
  double _l2;
  bool _constant;
};

double norm(const std::vector<Numbers>& all) {
  double sum = 0;
  for (const Numbers& one : all) sum += dot(one, one);
  return std::sqrt(sum);
}

double relative(double difference, double scale) {
  return std::isnan(difference) ? kasen::infinity : difference == 0 ? 0 : std::abs(difference) / scale;
}

}  // namespace

std::string ClassError::text() const {
  return fmt::format("objective within {:.1g}, gradient within {:.1g}, differences within {:.1g}", objective, gradient,
                     differences);
}

ClassError class_error(const SampleFile& file, const ClassClaim& claim) {
  const std::size_t k = claim.classes.size(), rows = claim.weights.size() / k,
                    features = rows - (file.constant ? 1 : 0);
  const PlainSamples samples(file, features);
  const PlainProblem problem(samples, claim.classes, claim.l2, file.constant);
  std::vector<Numbers> w(k, Numbers(features + 1)), zero = w;
  for (std::size_t at = 0; at < claim.weights.size(); ++at) w[at % k][at / k] = claim.weights[at];
  const double first = norm(problem.gradient(zero)), most = problem.objective(zero);
  const std::vector<Numbers> gradient = problem.gradient(w);
  ClassError error;
  error.objective = relative(problem.objective(w) - claim.outcome.objective, most);
  error.gradient = relative(relative(norm(gradient), first) - claim.outcome.gradient, 1);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {  // along -1 and +1 in an order that no data has
    std::vector<Numbers> ahead = w, behind = w, along = zero;
    double longest = 0, slope = 0, size = 0;
    for (std::size_t one = 0; one < k; ++one) {
      for (std::size_t j = 0; j < rows; ++j) along[one][j] = kasen::random_unit(seed, j * k + one) < 0.5 ? -1 : 1;
      for (const double score : samples.scores(along[one])) longest = std::max(longest, std::abs(score));
    }
    const double h = 1e-4 / (longest > 0 ? longest : 1);
    for (std::size_t one = 0; one < k; ++one) {
      slope += dot(gradient[one], along[one]), size += dot(along[one], along[one]);
      for (std::size_t j = 0; j < rows; ++j) ahead[one][j] += h * along[one][j], behind[one][j] -= h * along[one][j];
    }
    const double found = (problem.objective(ahead) - problem.objective(behind)) / (2 * h);
    // Weights of 0 may be the minimum: then there is rounding alone.
    const double scale = std::max(first * std::sqrt(size), kRounding * most * std::max(longest, 1.0));
    keep_larger(error.differences, relative(found - slope, scale));
  }
  return error;
}

}  // namespace apps
