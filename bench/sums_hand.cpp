#include "bench/sums_hand.h"

#include <cmath>

namespace bench {

double dot(const double* x, const double* y, std::uint64_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::uint64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

double distance(const double* x, const double* y, std::uint64_t n) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::uint64_t i = 0; i < n; ++i) sum += std::abs(0.5 * x[i] - y[i]);
  return sum;
}

double sum_of_chosen(const bool* holds, const double* x, std::uint64_t n) {
  // As bytes: GCC 12 makes no vectors of loops that load a bool.
  const auto* bytes = reinterpret_cast<const unsigned char*>(holds);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::uint64_t i = 0; i < n; ++i) sum += bytes[i] != 0 ? x[i] : 0.0;
  return sum;
}

namespace {

template <int N>
double sum_of_powers(const double* x, std::uint64_t n) {
  constexpr int kAtOnce = 8;
  double sums[N][kAtOnce] = {};
  std::uint64_t i = 0;
  for (; i + kAtOnce <= n; i += kAtOnce) {
    for (int l = 0; l < kAtOnce; ++l) {
      double power = 1;
      for (int k = 0; k < N; ++k) sums[k][l] += power *= x[i + static_cast<std::uint64_t>(l)];
    }
  }
  for (; i < n; ++i) {
    double power = 1;
    for (int k = 0; k < N; ++k) sums[k][0] += power *= x[i];
  }
  double total = 0;
  for (const auto& of_power : sums) {
    for (const double sum : of_power) total += sum;
  }
  return total;
}

}  // namespace

double sum_of_powers(const double* x, std::uint64_t n, int most) {
  switch (most) {
    case 3:
      return sum_of_powers<3>(x, n);
    case 5:
      return sum_of_powers<5>(x, n);
    default:
      return sum_of_powers<8>(x, n);
  }
}

}  // namespace bench
