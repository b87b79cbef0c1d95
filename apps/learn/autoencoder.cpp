#include "apps/learn/autoencoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "apps/common/known_values.h"
#include "apps/learn/row_functions.h"

namespace apps {

using kasen::Rows, kasen::RowsView, kasen::Shared, kasen::Space, kasen::map, kasen::product, kasen::whole, kasen::width,
    kasen::zip_with;

namespace {

/// Columns whose deviation is a smaller part of their mean are constant, but for rounding.
constexpr double kConstant = 1e-12;
/// Smaller ones have lost digits, and so, of columns with smaller means, it is not known what is constant.
constexpr double kLeastVariance = 1e-290, kLeastMean = 1e-130;

/// What a layer makes of its sums, and behind that 1, by which the next one's constants are multiplied.
constexpr auto activated = [](Numbers sums, bool sigmoid, std::span<double> out) {
  const std::size_t n = sums.size();
  if (sigmoid) {  // NOLINT(bugprone-branch-clone): loops over other functions
#pragma omp simd
    for (std::size_t k = 0; k < n; ++k) out[k] = 1 / (1 + kasen::exp(-sums[k]));
  } else {
#pragma omp simd
    for (std::size_t k = 0; k < n; ++k) out[k] = kasen::tanh(sums[k]);
  }
  out[n] = 1;
};
/// The derivative by a layer's sums, of that by what the layer made.
constexpr auto carried_back = [](Numbers by_made, Numbers made, bool sigmoid, std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k)
    out[k] = by_made[k] * (sigmoid ? made[k] * (1 - made[k]) : 1 - made[k] * made[k]);
};
constexpr auto error_of = [](Numbers made, Numbers sample, std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = made[k] - sample[k];
};
constexpr auto column_of = [](std::int64_t column, const RowsView<double>& rows, std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = rows[k][static_cast<std::size_t>(column)];
};
/// The transpose of the weights, without those of the constant.
Rows<double> transposed(const Rows<double>& weights) {
  return map(column_of, kasen::iota(Space(weights.width())), whole(weights), width(weights.length() - 1));
}

constexpr auto changed = [](Numbers gradient, Numbers before, double by, double momentum, std::span<double> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = momentum * before[k] - by * gradient[k];
};

/// What each layer gets, the samples first, and what the last one makes of it.
std::vector<Rows<double>> forward(const Rows<double>& samples, const std::vector<Rows<double>>& weights,
                                  Activation activation) {
  std::vector<Rows<double>> made;
  made.push_back(samples);
  for (std::size_t l = 0; l < weights.size(); ++l) {
    const Rows<double> sums = product(made[l], whole(weights[l]));
    const bool last = l + 1 == weights.size();
    made.push_back(last ? sums : map(activated, sums, activation == Activation::sigmoid, width(sums.width() + 1)));
  }
  return made;
}

/// By layer, the derivatives by the weights of half the squared norms of `error`, added up.
std::vector<Rows<double>> gradients(const std::vector<Rows<double>>& made, const Rows<double>& error,
                                    const std::vector<Rows<double>>& weights, Activation activation) {
  std::vector<Rows<double>> found(weights.size());
  Rows<double> by_sums = error;
  for (std::size_t l = weights.size(); l-- > 0;) {
    found[l] = kasen::cross(made[l], by_sums);
    if (l == 0) break;
    const Rows<double> by_made = product(by_sums, whole(transposed(weights[l])));
    by_sums = zip_with(carried_back, by_made, made[l], activation == Activation::sigmoid, width(by_made.width()));
  }
  return found;
}

/// Half the squared norms, added up.
Shared<double> half_squares(const Rows<double>& error) {
  return 0.5 * kasen::reduce(kasen::plus, map(squared_norm, error));
}

std::vector<std::uint64_t> widths_of(std::uint64_t columns, const EncoderShape& shape) {
  std::vector<std::uint64_t> widths = {columns};
  widths.insert(widths.end(), shape.hidden.begin(), shape.hidden.end());
  widths.insert(widths.end(), shape.hidden.rbegin() + 1, shape.hidden.rend());
  widths.push_back(columns);
  return widths;
}

/// Uniform within sqrt(6 / (in + out)) of 0 (Glorot and Bengio, 2010); those of the constant are 0.
Rows<double> first_weights(std::uint64_t in, std::uint64_t out, std::uint64_t seed) {
  const double most = std::sqrt(6 / static_cast<double>(in + out));
  const auto drawn = [](std::int64_t row, std::uint64_t by, double range, std::int64_t constant, std::span<double> w) {
    const std::uint64_t from = static_cast<std::uint64_t>(row) * w.size();
    for (std::size_t k = 0; k < w.size(); ++k)
      w[k] = row == constant ? 0 : range * (2 * kasen::random_unit(by, from + k) - 1);
  };
  return map(drawn, kasen::iota(Space(in + 1)), seed, most, static_cast<std::int64_t>(in), width(out));
}

/// In deviations from the mean, and behind them 1.
Rows<double> scaled(const Rows<double>& samples, const Scaling& by) {
  const Rows<double> rows = known_rows(Space(2), by.mean.size(), [&] {
    std::vector<double> both = by.mean;
    both.insert(both.end(), by.deviation.begin(), by.deviation.end());
    return both;
  }());
  const auto scale = [](Numbers x, const RowsView<double>& of, std::span<double> out) {
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = (x[c] - of[0][c]) / of[1][c];
    out[x.size()] = 1;
  };
  return map(scale, samples, whole(rows), width(samples.width() + 1));
}

/// The means of what f makes of the samples.
template <class F>
std::vector<double> means_of(const F& f, const Rows<double>& samples, const std::vector<double>& centre) {
  const Rows<double> one = map([](Numbers, std::span<double> out) { out[0] = 1; }, samples, width(1));
  const Rows<double> around = known_rows(Space(1), centre.size(), centre);
  std::vector<double> means = kasen::cross(one, map(f, samples, whole(around), width(samples.width()))).get();
  for (double& mean : means) mean /= static_cast<double>(samples.length());
  return means;
}

/// Means are corrected by the mean of what is left, so that nothing is of a column that is constant.
Scaling scaling_of(const Rows<double>& samples) {
  const auto less = [](Numbers x, const RowsView<double>& of, std::span<double> out) {
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = x[c] - of[0][c];
  };
  const auto square = [](Numbers x, const RowsView<double>& of, std::span<double> out) {
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = (x[c] - of[0][c]) * (x[c] - of[0][c]);
  };
  Scaling by;
  by.mean = means_of(less, samples, std::vector<double>(samples.width()));
  const std::vector<double> left = means_of(less, samples, by.mean);
  for (std::size_t c = 0; c < left.size(); ++c) by.mean[c] += left[c];
  by.deviation = means_of(square, samples, by.mean);
  for (std::size_t c = 0; c < by.mean.size(); ++c) {
    double& deviation = by.deviation[c];
    const bool too_small = deviation < kLeastVariance && by.mean[c] != 0 && std::abs(by.mean[c]) < kLeastMean;
    if (!std::isfinite(deviation) || too_small)
      throw ScaleError(
          fmt::format("column {}: its numbers are too {} for a variance", c + 1, too_small ? "small" : "large"));
    deviation = std::sqrt(deviation);
    if (deviation <= kConstant * std::abs(by.mean[c])) deviation = 1;
  }
  return by;
}

Weights on_every_worker(const std::vector<Rows<double>>& weights) {
  Weights all;
  for (const Rows<double>& layer : weights) all.push_back(layer.get());
  return all;
}

}  // namespace

Trained autoencoder(const Rows<double>& samples, const EncoderShape& shape, const Descent& descent) {
  const std::vector<std::uint64_t> widths = widths_of(samples.width(), shape);
  const Scaling scaling = scaling_of(samples);
  std::vector<Rows<double>> weights, change, previous, previous_change;
  for (std::size_t l = 0; l + 1 < widths.size(); ++l) {
    weights.push_back(first_weights(widths[l], widths[l + 1], descent.seed + l));
    const auto none = [](std::int64_t, std::span<double> out) { std::fill(out.begin(), out.end(), 0.0); };
    change.push_back(map(none, kasen::iota(Space(widths[l] + 1)), width(widths[l + 1])));
  }
  if (descent.keeps_previous) previous = weights, previous_change = change;
  const Rows<double> X = scaled(samples, scaling);
  const auto size = static_cast<double>(descent.batch);
  {
    const kasen::Batches<Rows<double>> all = kasen::batches(X, descent.batch);
    const std::uint64_t count = all.count();
    Shared<std::uint64_t> iteration = 0;
    Shared<double> step = descent.step;

    kasen::while_(kasen::likely([&] { return iteration < descent.epochs * count; }), [&] {
      const Rows<double> x = kasen::batch(all, iteration % count);
      const std::vector<Rows<double>> made = forward(x, weights, shape.activation);
      const Rows<double> error = zip_with(error_of, made.back(), x, width(samples.width()));
      const std::vector<Rows<double>> gradient = gradients(made, error, weights, shape.activation);
      const Shared<double> by = step / size;
      for (std::size_t l = 0; l < weights.size(); ++l) {
        const auto row = width(weights[l].width());
        if (descent.keeps_previous) previous[l] = weights[l], previous_change[l] = change[l];
        change[l] = zip_with(changed, gradient[l], change[l], by, descent.momentum, row);
        weights[l] = zip_with(plus_multiple, weights[l], change[l], 1.0, row);
      }
      iteration = iteration + 1;
      step = kasen::select(iteration % count == std::uint64_t{0}, step * descent.decay, step);
      kasen::track("objective", half_squares(error) / size);
      kasen::track("step", by * size);
    });
  }
  const std::vector<Rows<double>> made = forward(X, weights, shape.activation);
  const Shared<double> lost = half_squares(zip_with(error_of, made.back(), X, width(samples.width())));
  const double objective = lost.get() / static_cast<double>(samples.length());
  return {scaling, on_every_worker(weights), on_every_worker(previous), on_every_worker(previous_change), objective};
}

Encoded encoded(const Rows<double>& samples, Activation activation, const Scaling& scaling, const Weights& weights) {
  std::vector<Rows<double>> layers;
  std::uint64_t in = samples.width();
  for (const std::vector<double>& layer : weights) {
    layers.push_back(known_rows(Space(in + 1), layer.size() / (in + 1), layer));
    in = layers.back().width();
  }
  const Rows<double> X = scaled(samples, scaling);
  const std::vector<Rows<double>> made = forward(X, layers, activation);
  const auto unscaled = [](Numbers x, const RowsView<double>& mean, const RowsView<double>& deviation,
                           std::span<double> out) {
    for (std::size_t c = 0; c < x.size(); ++c) out[c] = mean[0][c] + x[c] * deviation[0][c];
  };
  const auto code = [](Numbers x, std::span<double> out) { std::copy(x.begin(), x.end() - 1, out.begin()); };
  const Rows<double>& middle = made[weights.size() / 2];
  const auto n = static_cast<double>(samples.length());
  return {map(code, middle, width(middle.width() - 1)),
          map(unscaled, made.back(), whole(known_rows(Space(1), samples.width(), scaling.mean)),
              whole(known_rows(Space(1), samples.width(), scaling.deviation)), width(samples.width())),
          half_squares(zip_with(error_of, made.back(), X, width(samples.width()))) / n};
}

}  // namespace apps
