#include "bench/lbfgs_hand.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "kasen/functors.h"
#include "kasen/math.h"

namespace bench {
namespace {

/// Rows or columns that are worked on while they are in the L1 cache.
constexpr std::uint64_t kBlock = 512;
using Block = std::array<double, kBlock>;

/// Products of a block of rows, or columns, with v.
void multiply(const Compressed& matrix, std::uint64_t first, std::uint64_t count, const double* v, Block& result) {
  const std::uint32_t* index = matrix.index.data();
  const double* value = matrix.value.data();
  for (std::uint64_t i = 0; i < count; ++i) {
    double sum = 0;
    for (std::uint64_t k = matrix.begin[first + i]; k < matrix.begin[first + i + 1]; ++k) {
      sum += value[k] * v[index[k]];
    }
    result[i] = sum;
  }
}

template <class F>
void for_blocks(std::uint64_t n, F f) {
  for (std::uint64_t first = 0; first < n; first += kBlock) f(first, std::min(kBlock, n - first));
}

double slope_of(double margin, double e) { return (margin > 0 ? -e : -1.0) / (1.0 + e); }

/// x += by * y; the sum of z * x.
double add_and_dot(double* __restrict x, double by, const double* __restrict y, const double* __restrict z,
                   std::uint64_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::uint64_t i = 0; i < n; ++i) {
    x[i] += by * y[i];
    sum += z[i] * x[i];
  }
  return sum;
}

}  // namespace

Compressed transposed(const Compressed& rows, std::uint64_t columns) {
  Compressed result;
  result.begin.assign(columns + 1, 0);
  for (const std::uint32_t column : rows.index) ++result.begin[column + 1];
  for (std::uint64_t j = 0; j < columns; ++j) result.begin[j + 1] += result.begin[j];
  result.index.resize(rows.index.size());
  result.value.resize(rows.index.size());
  std::vector<std::uint64_t> next(result.begin.begin(), result.begin.end() - 1);
  for (std::uint64_t i = 0; i < rows.size(); ++i) {
    for (std::uint64_t k = rows.begin[i]; k < rows.begin[i + 1]; ++k) {
      const std::uint64_t at = next[rows.index[k]]++;
      result.index[at] = static_cast<std::uint32_t>(i);
      result.value[at] = rows.value[k];
    }
  }
  return result;
}

LbfgsByHand::LbfgsByHand(Compressed rows, std::uint64_t features, const std::vector<double>& sign, double l2,
                         std::size_t history)
    : _rows(std::move(rows)), _columns(transposed(_rows, features)), _l2(l2), _rho(history) {
  for (double** of_samples : {&_sign, &_margin, &_along, &_u}) *of_samples = obtain(sign.size());
  for (double** of_features : {&_w, &_g, &_d}) *of_features = obtain(features);
  std::copy(sign.begin(), sign.end(), _sign);
  for (std::size_t k = 0; k < history; ++k) {
    _s.push_back(obtain(features));
    _y.push_back(obtain(features));
  }
}

double LbfgsByHand::run(std::uint64_t iterations) {
  start();
  for (std::uint64_t k = 0; k < iterations; ++k) {
    const apps::WolfeSearch found = find_step(descend());
    _objective = found.value;
    move_margins(found.step);
    move_weights(found.step);
  }
  return _objective;
}

double* LbfgsByHand::obtain(std::uint64_t elements) {
  _buffers.push_back(_pool.obtain(elements, sizeof(double)));
  auto* data = reinterpret_cast<double*>(_buffers.back()->data());
  std::fill_n(data, elements, 0.0);
  return data;
}

/// Weights 0, the gradient there and d = -g.
void LbfgsByHand::start() {
  const std::uint64_t samples = _rows.size(), features = _columns.size();
  std::fill_n(_margin, samples, 0.0);
  std::fill_n(_w, features, 0.0);
  std::fill(_rho.begin(), _rho.end(), 0.0);
  for (std::size_t k = 0; k < _s.size(); ++k) {
    std::fill_n(_s[k], features, 0.0);
    std::fill_n(_y[k], features, 0.0);
  }
  for (std::uint64_t i = 0; i < samples; ++i) _u[i] = -0.5 * _sign[i];
  double gg = 0;
  for_blocks(features, [&](std::uint64_t first, std::uint64_t count) {
    Block sums;
    multiply(_columns, first, count, _u, sums);
    for (std::uint64_t j = 0; j < count; ++j) {
      _g[first + j] = sums[j];
      _d[first + j] = -sums[j];
      gg += sums[j] * sums[j];
    }
  });
  _scale = 1 / std::sqrt(gg);
  _objective = static_cast<double>(samples) * std::log(2.0);
  _ww = _sd = 0;
}

/// The two loops, on d in place; returns the slope of the objective along d.
double LbfgsByHand::descend() {
  const std::uint64_t n = _columns.size();
  const std::size_t m = _s.size();
  std::vector<double> alpha(m);
  alpha[0] = _rho[0] * _sd;
  for (std::size_t k = 1; k < m; ++k) alpha[k] = _rho[k] * add_and_dot(_d, -alpha[k - 1], _y[k - 1], _s[k], n);
  double product = 0;
  {
    const double scale = _scale, last = alpha[m - 1], *y = _y[m - 1];
    double* d = _d;
#pragma omp simd reduction(+ : product)
    for (std::uint64_t i = 0; i < n; ++i) {
      d[i] = scale * (d[i] - last * y[i]);
      product += y[i] * d[i];
    }
  }
  for (std::size_t k = m; k-- > 1;) product = add_and_dot(_d, alpha[k] - _rho[k] * product, _s[k], _y[k - 1], n);
  const double by = alpha[0] - _rho[0] * product, *s = _s[0], *g = _g, *w = _w;
  double* d = _d;
  double slope = 0, wd = 0, dd = 0;
#pragma omp simd reduction(+ : slope, wd, dd)
  for (std::uint64_t i = 0; i < n; ++i) {
    d[i] += by * s[i];
    slope += g[i] * d[i];
    wd += w[i] * d[i];
    dd += d[i] * d[i];
  }
  _wd = wd;
  _dd = dd;
  return slope;
}

/// The products along d and the first trial in one pass over the samples, further trials in one each.
apps::WolfeSearch LbfgsByHand::find_step(double slope) {
  apps::WolfeSearch search = apps::wolfe_search(_objective, slope, {_l2 / 2 * _ww, _l2 * _wd, _l2 * _dd}, true);
  for (bool first_trial = true; !search.done; first_trial = false) {
    const double step = search.step;
    double loss = 0, derivative = 0;
    for_blocks(_rows.size(), [&](std::uint64_t first, std::uint64_t count) {
      double *along = _along + first, *margin = _margin + first, *sign = _sign + first;
      if (first_trial) {
        Block products;
        multiply(_rows, first, count, _d, products);
        for (std::uint64_t i = 0; i < count; ++i) along[i] = sign[i] * products[i];
      }
#pragma omp simd reduction(+ : loss, derivative)
      for (std::uint64_t i = 0; i < count; ++i) {
        const double at = margin[i] + step * along[i], e = kasen::exp(-kasen::abs(at));
        loss += kasen::log1p(e) + kasen::max(-at, 0.0);
        derivative += slope_of(at, e) * along[i];
      }
    });
    search = apps::after_trial(search, loss, derivative);
  }
  return search;
}

void LbfgsByHand::move_margins(double step) {
  const double *along = _along, *sign = _sign;
  double *margin = _margin, *u = _u;
#pragma omp simd
  for (std::uint64_t i = 0; i < _rows.size(); ++i) {
    const double at = margin[i] + step * along[i], e = kasen::exp(-kasen::abs(at));
    margin[i] = at;
    u[i] = sign[i] * slope_of(at, e);
  }
}

/// The new weights, gradient, history and d = -g in one pass over the features.
void LbfgsByHand::move_weights(double step) {
  std::rotate(_s.begin(), _s.end() - 1, _s.end());
  std::rotate(_y.begin(), _y.end() - 1, _y.end());
  std::rotate(_rho.begin(), _rho.end() - 1, _rho.end());
  double sy = 0, yy = 0, ww = 0, sd = 0;
  const double l2 = _l2;
  for_blocks(_columns.size(), [&](std::uint64_t first, std::uint64_t count) {
    double *w = _w + first, *g = _g + first, *d = _d + first, *s = _s[0] + first, *y = _y[0] + first;
    Block sums;
    multiply(_columns, first, count, _u, sums);
#pragma omp simd reduction(+ : sy, yy, ww, sd)
    for (std::uint64_t j = 0; j < count; ++j) {
      const double change = step * d[j], weight = w[j] + change, now = sums[j] + l2 * weight, grown = now - g[j];
      s[j] = change;
      y[j] = grown;
      w[j] = weight;
      g[j] = now;
      d[j] = -now;
      sy += change * grown;
      yy += grown * grown;
      ww += weight * weight;
      sd -= change * now;
    }
  });
  _rho[0] = sy > 1e-16 * yy ? 1 / sy : 0;
  if (_rho[0] > 0) _scale = sy / yy;
  _ww = ww;
  _sd = sd;
}

}  // namespace bench
