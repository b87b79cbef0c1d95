#include "bench/als_hand.h"

#include <algorithm>

namespace bench {

namespace {

constexpr std::uint64_t kAhead = 32;

[[gnu::always_inline]] inline double dot(const double* a, const double* b, std::size_t rank) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t k = 0; k < rank; ++k) sum += a[k] * b[k];
  return sum;
}

/// out = the sum over the ratings of factor i of (value - at . v) v with `descends`, else of (at . v) v.
template <bool descends>
[[gnu::always_inline]] inline void sum_over_ratings(const RatingsOfEnd& ratings, std::size_t i, const double* fixed,
                                                    const double* at, double* __restrict out, std::size_t rank) {
  const std::uint64_t last = ratings.index.size() - 1;
  for (std::size_t k = 0; k < rank; ++k) out[k] = 0;
  for (std::uint64_t e = ratings.pointer[i]; e < ratings.pointer[i + 1]; ++e) {
    const double* const next = fixed + ratings.index[std::min(e + kAhead, last)] * rank;
    for (std::size_t k = 0; k < rank; k += 8) __builtin_prefetch(next + k);
    const double* const v = fixed + ratings.index[e] * rank;
    const double by = descends ? ratings.value[e] - dot(at, v, rank) : dot(at, v, rank);
#pragma omp simd
    for (std::size_t k = 0; k < rank; ++k) out[k] += by * v[k];
  }
}

/// What is left, and where to go, at first.
[[gnu::always_inline]] inline void begin(const RatingsOfEnd& ratings, std::size_t i, const double* fixed,
                                         const double* x, std::size_t rank, double penalty, EndWork& work) {
  double *const left = &work.left[i * rank], *const along = &work.along[i * rank];
  sum_over_ratings<true>(ratings, i, fixed, x + i * rank, left, rank);
  for (std::size_t k = 0; k < rank; ++k) along[k] = left[k] -= penalty * x[i * rank + k];
  work.square[i] = dot(left, left, rank);
}

[[gnu::always_inline]] inline void step(const RatingsOfEnd& ratings, std::size_t i, const double* fixed, double* x,
                                        std::size_t rank, double penalty, EndWork& work) {
  double *const left = &work.left[i * rank], *const along = &work.along[i * rank];
  double* const product = work.product.data();
  sum_over_ratings<false>(ratings, i, fixed, along, product, rank);
  for (std::size_t k = 0; k < rank; ++k) product[k] += penalty * along[k];
  const double curvature = dot(along, product, rank), by = curvature > 0 ? work.square[i] / curvature : 0;
  for (std::size_t k = 0; k < rank; ++k) {
    x[i * rank + k] += by * along[k];
    left[k] -= by * product[k];
  }
  const double next = dot(left, left, rank), ratio = work.square[i] > 0 ? next / work.square[i] : 0;
  for (std::size_t k = 0; k < rank; ++k) along[k] = left[k] + ratio * along[k];
  work.square[i] = next;
}

void make_room(EndWork& work, std::size_t factors, std::size_t rank) {
  work.left.resize(factors * rank);
  work.along.resize(factors * rank);
  work.product.resize(rank);
  work.square.resize(factors);
}

[[gnu::always_inline]] inline void improve_end(const RatingsOfEnd& ratings, const double* fixed, double* x,
                                               std::size_t rank, double penalty, double enough, EndWork& work) {
  const std::size_t n = ratings.pointer.size() - 1;
  make_room(work, n, rank);
  double first = 0;
  for (std::size_t i = 0; i < n; ++i) {
    begin(ratings, i, fixed, x, rank, penalty, work);
    first += work.square[i];
  }
  double now = first;
  for (std::size_t s = 0; s < rank && now > enough * first; ++s) {
    now = 0;
    for (std::size_t i = 0; i < n; ++i) {
      step(ratings, i, fixed, x, rank, penalty, work);
      now += work.square[i];
    }
  }
}

}  // namespace

void improve(const RatingsOfEnd& ratings, const double* fixed, double* x, std::size_t rank, double penalty,
             double enough, EndWork& work) {
  improve_end(ratings, fixed, x, rank, penalty, enough, work);
}

void improve_of_ten(const RatingsOfEnd& ratings, const double* fixed, double* x, double penalty, double enough,
                    EndWork& work) {
  improve_end(ratings, fixed, x, 10, penalty, enough, work);
}

}  // namespace bench
