#include "bench/gmm_hand.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kasen/math.h"

namespace bench {

std::vector<double> gmm_sums(const double* points, std::size_t n, const std::vector<double>& components) {
  constexpr std::size_t kColumns = kGmmColumns, kMost = 16, kRow = 1 + 2 * kColumns;
  const std::size_t k = components.size() / kRow;
  alignas(64) double constant[kMost], mean[kColumns][kMost] = {}, half[kColumns][kMost] = {};
  alignas(64) double counts[kMost] = {}, sums[kColumns][kMost] = {}, squares[kColumns][kMost] = {};
  for (std::size_t j = 0; j < kMost; ++j) {
    constant[j] = j < k ? std::log(components[j * kRow]) : -1e300;
    for (std::size_t c = 0; c < kColumns && j < k; ++c) {
      const double variance = components[j * kRow + 1 + kColumns + c];
      mean[c][j] = components[j * kRow + 1 + c];
      half[c][j] = -0.5 / variance;
      constant[j] -= 0.5 * std::log(2 * std::numbers::pi * variance);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double* x = points + i * kColumns;
    alignas(64) double score[kMost];
#pragma omp simd
    for (std::size_t j = 0; j < kMost; ++j) score[j] = constant[j];
    for (std::size_t c = 0; c < kColumns; ++c) {
#pragma omp simd
      for (std::size_t j = 0; j < kMost; ++j) score[j] += (x[c] - mean[c][j]) * (x[c] - mean[c][j]) * half[c][j];
    }
    double most = score[0], total = 0;
#pragma omp simd reduction(max : most)
    for (std::size_t j = 0; j < kMost; ++j) most = score[j] > most ? score[j] : most;
#pragma omp simd reduction(+ : total)
    for (std::size_t j = 0; j < kMost; ++j) {
      score[j] = kasen::exp(score[j] - most);
      total += score[j];
    }
#pragma omp simd
    for (std::size_t j = 0; j < kMost; ++j) {
      score[j] /= total;
      counts[j] += score[j];
    }
    for (std::size_t c = 0; c < kColumns; ++c) {
#pragma omp simd
      for (std::size_t j = 0; j < kMost; ++j) {
        sums[c][j] += score[j] * x[c];
        squares[c][j] += score[j] * x[c] * x[c];
      }
    }
  }
  std::vector<double> result(k * kRow);
  for (std::size_t j = 0; j < k; ++j) {
    result[j * kRow] = counts[j];
    for (std::size_t c = 0; c < kColumns; ++c) {
      result[j * kRow + 1 + c] = sums[c][j];
      result[j * kRow + 1 + kColumns + c] = squares[c][j];
    }
  }
  return result;
}

double gmm_products(const double* points, std::size_t n, std::size_t k) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  constexpr std::size_t kAtOnce = 128;
  constexpr auto kRow = static_cast<Eigen::Index>(1 + 2 * kGmmColumns);
  const auto components = static_cast<Eigen::Index>(k);
  const Rows by = Rows::Constant(kRow, components, 0.5);
  Rows powers(static_cast<Eigen::Index>(kAtOnce), kRow), scores(static_cast<Eigen::Index>(kAtOnce), components);
  Rows sums = Rows::Zero(components, kRow);
  for (std::size_t from = 0; from < n; from += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, n - from);
    for (std::size_t i = 0; i < count; ++i) {
      const double* const x = points + (from + i) * kGmmColumns;
      double* const out = powers.data() + i * static_cast<std::size_t>(kRow);
      out[0] = 1;
      for (std::size_t c = 0; c < kGmmColumns; ++c) out[1 + c] = x[c], out[1 + kGmmColumns + c] = x[c] * x[c];
    }
    const auto here = powers.topRows(static_cast<Eigen::Index>(count));
    auto result = scores.topRows(static_cast<Eigen::Index>(count));
    result.noalias() = here * by;
    sums.noalias() += result.transpose() * here;
  }
  return sums.sum();
}

}  // namespace bench
