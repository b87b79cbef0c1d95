/// @file
/// The hand-written loops that element sweeps are measured against.
#include "bench/element_sweep_hand.h"

#include <cmath>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace bench {

double fused_double_buffered(const double* __restrict sum, const double* __restrict rank,
                             const double* __restrict degree, double r, double* __restrict next,
                             double* __restrict share, std::size_t n) {
  double diff = 0;
#pragma omp simd reduction(+ : diff)
  for (std::size_t i = 0; i < n; ++i) {
    const double value = (1 - r) + r * sum[i];
    diff += std::abs(rank[i] - value);
    next[i] = value;
    share[i] = value / degree[i];
  }
  return diff;
}

double fused_in_place(double* __restrict sum, double* __restrict rank, const double* __restrict degree, double r,
                      std::size_t n) {
  double diff = 0;
#pragma omp simd reduction(+ : diff)
  for (std::size_t i = 0; i < n; ++i) {
    const double value = (1 - r) + r * sum[i];
    diff += std::abs(rank[i] - value);
    rank[i] = value;
    sum[i] = value / degree[i];
  }
  return diff;
}

double fused_streaming(const double* __restrict sum, const double* __restrict rank, const double* __restrict degree,
                       double r, double* __restrict next, double* __restrict share, std::size_t n) {
  double diff = 0;
  std::size_t i = 0;
#ifdef __AVX2__
  const __m256d sign = _mm256_set1_pd(-0.0), factor = _mm256_set1_pd(r), rest = _mm256_set1_pd(1 - r);
  __m256d partial[2] = {_mm256_setzero_pd(), _mm256_setzero_pd()};
  for (; i + 8 <= n; i += 8) {
    for (std::size_t k = 0; k < 2; ++k) {
      const std::size_t at = i + 4 * k;
      const __m256d value = _mm256_add_pd(rest, _mm256_mul_pd(factor, _mm256_loadu_pd(sum + at)));
      const __m256d change = _mm256_sub_pd(_mm256_loadu_pd(rank + at), value);
      partial[k] = _mm256_add_pd(partial[k], _mm256_andnot_pd(sign, change));
      _mm256_stream_pd(next + at, value);
      _mm256_stream_pd(share + at, _mm256_div_pd(value, _mm256_loadu_pd(degree + at)));
    }
  }
  alignas(32) double lanes[4];
  _mm256_store_pd(lanes, _mm256_add_pd(partial[0], partial[1]));
  diff = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  _mm_sfence();
#endif
  for (; i < n; ++i) {
    const double value = (1 - r) + r * sum[i];
    diff += std::abs(rank[i] - value);
    next[i] = value;
    share[i] = value / degree[i];
  }
  return diff;
}

double five_loops(const double* __restrict sum, double* __restrict rank, const double* __restrict degree, double r,
                  double* __restrict next, double* __restrict difference, double* __restrict share, std::size_t n) {
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) next[i] = (1 - r) + r * sum[i];
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) difference[i] = std::abs(rank[i] - next[i]);
  double diff = 0;
#pragma omp simd reduction(+ : diff)
  for (std::size_t i = 0; i < n; ++i) diff += difference[i];
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) rank[i] = next[i];
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) share[i] = rank[i] / degree[i];
  return diff;
}

}  // namespace bench
