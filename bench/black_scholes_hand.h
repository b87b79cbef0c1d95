/// @file
/// Hand-written loop of Black-Scholes, in a translation unit of its own, for comparison.
#pragma once

#include <cstddef>

namespace bench {

/// Prices of options with spot and strike prices of their own. @pre all numbers are above 0
void black_scholes_fused(const double* spot, const double* strike, double rate, double volatility, double years,
                         double* call, double* put, std::size_t n);

}  // namespace bench
