#include "bench/kmeans_hand.h"

#include <cstdlib>
#include <cstring>

namespace bench {

namespace {

/// The compiler keeps `omp simd` reductions of arrays in memory, five times slower: so the vectors are spelt out.
constexpr std::size_t kWidth = 8;
using Vector = double __attribute__((vector_size(kWidth * sizeof(double))));
using Integers = long long __attribute__((vector_size(kWidth * sizeof(double))));

template <std::size_t K>
void fused(const double* points, std::size_t n, const double* centre, double* sums, double* counts) {
  Vector sum[K] = {};
  Integers count[K] = {};
  std::size_t i = 0;
  for (; i + kWidth <= n; i += kWidth) {
    Vector x;
    std::memcpy(&x, points + i, sizeof x);
    Vector best = (x - centre[0]) * (x - centre[0]);
    Integers label = {};
#pragma GCC unroll 32
    for (std::size_t j = 1; j < K; ++j) {
      const Vector distance = (x - centre[j]) * (x - centre[j]);
      label = distance < best ? Integers{} + static_cast<long long>(j) : label;
      best = distance < best ? distance : best;
    }
#pragma GCC unroll 32
    for (std::size_t j = 0; j < K; ++j) {
      const Integers here = label == static_cast<long long>(j);
      sum[j] += here ? x : Vector{};
      count[j] -= here;
    }
  }
  for (std::size_t j = 0; j < K; ++j) {
    sums[j] = counts[j] = 0;
    for (std::size_t k = 0; k < kWidth; ++k) {
      sums[j] += sum[j][k];
      counts[j] += static_cast<double>(count[j][k]);
    }
  }
  for (; i < n; ++i) {
    std::size_t label = 0;
    for (std::size_t j = 1; j < K; ++j) {
      const double a = points[i] - centre[j], b = points[i] - centre[label];
      if (a * a < b * b) label = j;
    }
    sums[label] += points[i];
    counts[label] += 1;
  }
}

}  // namespace

void kmeans_numbers(const double* points, std::size_t n, const double* centres, std::size_t k, double* sum,
                    double* count) {
  if (k == 10) return fused<10>(points, n, centres, sum, count);
  if (k == 20) return fused<20>(points, n, centres, sum, count);
  std::abort();
}

/// Distances to all centres at once, a vector lane for each; then the sums, a lane for each coordinate.
void kmeans_rows(const double* points, std::size_t n, const double* centres, std::size_t k, double* sum,
                 double* count) {
  constexpr std::size_t kColumns = kHandColumns, kMost = 16;
  alignas(64) double centre[kColumns][kMost], sums[kMost][kColumns] = {}, counts[kMost] = {};
  for (std::size_t c = 0; c < kColumns; ++c) {
    for (std::size_t j = 0; j < kMost; ++j) centre[c][j] = j < k ? centres[j * kColumns + c] : 1e300;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double* x = points + i * kColumns;
    alignas(64) double distance[kMost] = {};
    for (std::size_t c = 0; c < kColumns; ++c) {
#pragma omp simd
      for (std::size_t j = 0; j < kMost; ++j) distance[j] += (x[c] - centre[c][j]) * (x[c] - centre[c][j]);
    }
    std::size_t label = 0;
    double best = distance[0];
    for (std::size_t j = 1; j < k; ++j) {
      label = distance[j] < best ? j : label;
      best = distance[j] < best ? distance[j] : best;
    }
#pragma omp simd
    for (std::size_t c = 0; c < kColumns; ++c) sums[label][c] += x[c];
    counts[label] += 1;
  }
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t c = 0; c < kColumns; ++c) sum[j * kColumns + c] = sums[j][c];
    count[j] = counts[j];
  }
}

}  // namespace bench
