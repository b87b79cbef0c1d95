#include "bench/sums_hand.h"

#include <cmath>
#include <cstring>

namespace bench {

namespace {

/// The sum of term(0) to term(n - 1), in as many lanes as hide the latency of an addition.
template <int Lanes, class Term>
double sum_of(std::uint64_t n, const Term& term) {
  double lane[Lanes] = {};
  std::uint64_t i = 0;
  for (; i + Lanes <= n; i += Lanes) {
#pragma omp simd
    for (int l = 0; l < Lanes; ++l) lane[l] += term(i + static_cast<std::uint64_t>(l));
  }
  for (; i < n; ++i) lane[0] += term(i);
  double sum = 0;
  for (const double of_lane : lane) sum += of_lane;
  return sum;
}

using Eight [[gnu::vector_size(64)]] = double;

template <int N>
double sum_of_powers(const double* x, std::uint64_t n) {
  Eight sums[N] = {};
  std::uint64_t i = 0;
  for (; i + 8 <= n; i += 8) {
    Eight all, power;
    std::memcpy(&all, x + i, sizeof(all));
    power = all;
    for (int k = 0; k < N; ++k) {
      sums[k] += power;
      power *= all;
    }
  }
  for (; i < n; ++i) {
    double power = 1;
    for (int k = 0; k < N; ++k) sums[k][0] += power *= x[i];
  }
  double total = 0;
  for (const Eight& sum : sums) {
    for (int l = 0; l < 8; ++l) total += sum[l];
  }
  return total;
}

}  // namespace

double dot(const double* x, const double* y, std::uint64_t n) {
  return sum_of<32>(n, [=](std::uint64_t i) { return x[i] * y[i]; });
}

double distance(const double* x, const double* y, std::uint64_t n) {
  return sum_of<32>(n, [=](std::uint64_t i) { return std::abs(0.5 * x[i] - y[i]); });
}

double sum_of_chosen(const bool* holds, const double* x, std::uint64_t n) {
  // As bytes: GCC 12 makes no vectors of loops that load a bool.
  const auto* bytes = reinterpret_cast<const unsigned char*>(holds);
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::uint64_t i = 0; i < n; ++i) sum += bytes[i] != 0 ? x[i] : 0.0;
  return sum;
}

double sum_of_squares(const double* x, std::uint64_t n) {
  return sum_of<32>(n, [=](std::uint64_t i) { return x[i] * x[i]; });
}

std::uint64_t largest(const double* x, std::uint64_t n) {
  constexpr int kLanes = 32;
  double value[kLanes];
  std::uint64_t at[kLanes] = {};
  for (double& of_lane : value) of_lane = -HUGE_VAL;
  std::uint64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
#pragma omp simd
    for (int l = 0; l < kLanes; ++l) {
      const double one = x[i + static_cast<std::uint64_t>(l)];
      at[l] = one > value[l] ? i + static_cast<std::uint64_t>(l) : at[l];
      value[l] = one > value[l] ? one : value[l];
    }
  }
  std::uint64_t first = at[0];
  for (int l = 1; l < kLanes; ++l) {
    if (x[at[l]] > x[first] || (x[at[l]] == x[first] && at[l] < first)) first = at[l];
  }
  for (; i < n; ++i) {
    if (x[i] > x[first]) first = i;
  }
  return first;
}

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
