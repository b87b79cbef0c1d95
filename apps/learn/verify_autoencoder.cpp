#include "apps/learn/verify_autoencoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "apps/common/largest.h"
#include "apps/common/plain_sum.h"
#include "kasen/functors.h"
#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {

namespace {

double apart(double a, double b) { return std::isnan(a - b) ? kasen::infinity : std::abs(a - b); }

/// One sample at a time.
class PlainEncoder {
 public:
  PlainEncoder(const EncoderShape& shape, const Weights& weights, std::size_t columns)
      : _weights(weights), _sigmoid(shape.activation == Activation::sigmoid) {
    _made.emplace_back(columns + 1);
    for (const std::vector<double>& layer : weights) {
      _made.back().back() = 1;
      _made.emplace_back(layer.size() / _made.back().size() + 1);
    }
  }

  /// Half the squared norm of what is lost of a sample, in deviations.
  double lost(std::span<const double> sample) {
    std::copy(sample.begin(), sample.end(), _made[0].begin());
    for (std::size_t l = 0; l < _weights.size(); ++l) {
      const std::size_t out = _made[l + 1].size() - 1;
      for (std::size_t j = 0; j < out; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < _made[l].size(); ++i) sum += _made[l][i] * _weights[l][i * out + j];
        const double bent = _sigmoid ? 1 / (1 + std::exp(-sum)) : std::tanh(sum);
        _made[l + 1][j] = l + 1 == _weights.size() ? sum : bent;
      }
    }
    double squares = 0;
    for (std::size_t c = 0; c < sample.size(); ++c) squares += std::pow(_made.back()[c] - sample[c], 2);
    return squares / 2;
  }

  /// Adds the derivatives of that by all weights. @pre lost(sample)
  void add_gradient(std::span<const double> sample, Weights& gradient) const {
    std::vector<double> by_sums(sample.size());
    for (std::size_t c = 0; c < sample.size(); ++c) by_sums[c] = _made.back()[c] - sample[c];
    for (std::size_t l = _weights.size(); l-- > 0;) {
      const std::size_t out = by_sums.size(), in = _made[l].size() - 1;
      std::vector<double> before(in);
      for (std::size_t i = 0; i <= in; ++i) {
        double by_made = 0;
        for (std::size_t j = 0; j < out; ++j) {
          gradient[l][i * out + j] += _made[l][i] * by_sums[j];
          by_made += _weights[l][i * out + j] * by_sums[j];
        }
        const double made = _made[l][i];
        if (i < in) before[i] = by_made * (_sigmoid ? made * (1 - made) : 1 - made * made);
      }
      by_sums = before;
    }
  }

 private:
  const Weights& _weights;
  bool _sigmoid;
  std::vector<std::vector<double>> _made;  ///< by layer; behind what it has made 1
};

double scaling_error(const kasen::io::DenseData& table, const Scaling& claim) {
  const std::size_t d = table.columns;
  const auto n = static_cast<double>(table.rows);
  std::vector<double> mean(d), deviation(d), least(d, kasen::infinity), largest(d, -kasen::infinity);
  double error = 0;
  for (std::size_t at = 0; at < table.values.size(); ++at) {
    const double number = table.values[at];
    mean[at % d] += number / n;
    least[at % d] = std::min(least[at % d], number), largest[at % d] = std::max(largest[at % d], number);
  }
  mean = sum_over_workers(mean);
  for (std::size_t at = 0; at < table.values.size(); ++at)
    deviation[at % d] += std::pow(table.values[at] - mean[at % d], 2) / n;
  deviation = sum_over_workers(deviation);
  for (std::size_t c = 0; c < d; ++c) {
    least[c] = -kasen::workers::max(-least[c]), largest[c] = kasen::workers::max(largest[c]);
    const double most = std::max({1e-300, std::abs(least[c]), std::abs(largest[c])});
    keep_larger(error, apart(claim.mean[c], mean[c]) / most);
    const double right = std::sqrt(deviation[c]);
    if (least[c] == largest[c]) {  // is left out
      if (claim.mean[c] != least[c] || claim.deviation[c] != 1) error = kasen::infinity;
    } else if (right > 1e-9 * std::abs(mean[c]) || claim.deviation[c] != 1) {
      keep_larger(error, apart(claim.deviation[c], right) / most);
    }
  }
  return error;
}

/// The largest difference from what the last step makes of the weights before.
double step_error(const Weights& gradient, const EncoderClaim& claim, std::uint64_t batches) {
  const Descent& descent = claim.descent;
  const std::uint64_t epoch = (descent.epochs * batches - 1) / batches;
  const double by =
      descent.step * std::pow(descent.decay, static_cast<double>(epoch)) / static_cast<double>(descent.batch);
  double error = 0;
  for (std::size_t l = 0; l < gradient.size(); ++l) {
    const std::vector<double> sums = sum_over_workers(gradient[l]);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const double change = descent.momentum * claim.trained.previous_change[l][k] - by * sums[k];
      const double right = claim.trained.previous[l][k] + change;
      keep_larger(error, apart(claim.trained.weights[l][k], right) / std::max(1.0, std::abs(right)));
    }
  }
  return error;
}

}  // namespace

std::string EncoderError::text() const {
  return fmt::format("means and deviations off by {:.2g}, objective by {:.2g}, the last step by {:.2g}", scaling,
                     objective, step);
}

EncoderError encoder_error(const std::string& samples, const kasen::io::ReadOptions& options,
                           const EncoderClaim& claim) {
  kasen::io::DenseData table = kasen::io::read_dense(kasen::workers::communicator(), samples, options);
  const Trained& trained = claim.trained;
  const std::size_t d = table.columns;
  EncoderError error;
  error.scaling = scaling_error(table, trained.scaling);
  for (std::size_t at = 0; at < table.values.size(); ++at)
    table.values[at] = (table.values[at] - trained.scaling.mean[at % d]) / trained.scaling.deviation[at % d];

  const std::uint64_t mine = table.values.size() / d, first = kasen::workers::exclusive_sum(mine);
  const std::uint64_t batches = table.rows / claim.descent.batch, last = batches - 1;
  PlainEncoder now(claim.shape, trained.weights, d), before(claim.shape, trained.previous, d);
  Weights gradient;
  for (const std::vector<double>& layer : trained.weights) gradient.emplace_back(layer.size());
  double sum = 0;
  for (std::uint64_t i = 0; i < mine; ++i) {
    const std::span<const double> sample(&table.values[i * d], d);
    sum += now.lost(sample);
    if ((first + i) % batches != last || first + i >= batches * claim.descent.batch) continue;
    before.lost(sample);
    before.add_gradient(sample, gradient);
  }
  const double right = kasen::workers::sum(sum) / static_cast<double>(table.rows);
  error.objective = apart(trained.objective, right) / std::max(1e-300, std::abs(right));
  error.step = step_error(gradient, claim, batches);
  return error;
}

}  // namespace apps
