#include "bench/black_scholes_hand.h"

#include <cmath>
#include <numbers>

#include "kasen/math.h"

namespace bench {

void black_scholes_fused(const double* __restrict spot, const double* __restrict strike, double rate, double volatility,
                         double years, double* __restrict call, double* __restrict put, std::size_t n) {
  const double deviation = volatility * std::sqrt(years), drift = (rate + volatility * volatility / 2) * years;
  const double discount = std::exp(-rate * years), root_of_half = std::numbers::sqrt2 / 2;
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) {
    const double d1 = (kasen::log(spot[i] / strike[i]) + drift) / deviation, d2 = d1 - deviation;
    const double n1 = kasen::erfc(-root_of_half * d1) * 0.5, n2 = kasen::erfc(-root_of_half * d2) * 0.5;
    const double discounted = discount * strike[i];
    call[i] = spot[i] * n1 - discounted * n2;
    put[i] = call[i] - spot[i] + discounted;
  }
}

}  // namespace bench
