/// @file
/// Independent check of prices and greeks: the file is read again, and every number computed without primitives.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "apps/black_scholes/quotes.h"

namespace apps {

inline constexpr std::array<const char*, 10> kValueNames = {"call", "put",        "delta_call", "delta_put", "gamma",
                                                            "vega", "theta_call", "theta_put",  "rho_call",  "rho_put"};

struct ValuationError {
  double formula = 0;  ///< the largest difference from the formula in long double
  std::string where;   ///< which number of which row that is
  double parity = 0;   ///< the largest of |call - put - spot + discounted strike|
  /// The bound: libmvec is right to 4 units in the last place, and a number passes through a dozen operations at most.
  bool holds() const { return formula <= 1e-13 && parity <= 1e-13; }
};

/// Collective. `values` are this worker's block of rows of kValueNames; those without elements are not checked.
/// Differences are relative to what the terms of a formula can amount to (a price: spot plus discounted strike), and to
/// how much rounding of the ratio of spot and strike changes.
ValuationError valuation_error(const QuoteSource& source, const std::array<std::vector<double>, 10>& values);

}  // namespace apps
