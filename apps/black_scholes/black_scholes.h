/// @file
/// Prices of European options without dividends, after Black, Scholes and Merton.
#pragma once

#include <optional>

#include "kasen/kasen.h"

namespace apps {

struct Prices {
  kasen::Vector<double> call, put;
};

/// Numbers that all options have in common: continuous interest and volatility per year, years to expiry.
struct Market {
  kasen::Shared<double> rate, volatility, years;
};

/// The program of the paper's section 8.1: eight maps and six zips of one or two vectors each; 2 in, 2 out. The put is
/// the call less spot plus discounted strike, so that a small put has the rounding of these.
Prices prices_as_in_paper(const kasen::Vector<double>& spot, const kasen::Vector<double>& strike, const Market& market);

/// Options that each have their own numbers: spot and strike above 0, volatility and years from 0.
struct Contracts {
  kasen::Vector<double> spot, strike, rate, volatility, years;
};

/// Derivatives of the prices: by the spot price (delta, twice: gamma), the volatility (vega), the time that passes, in
/// years (theta), and the rate (rho). Gamma and vega of call and put are equal.
struct Greeks {
  kasen::Vector<double> delta_call, delta_put, gamma, vega, theta_call, theta_put, rho_call, rho_put;
};

struct Valuation {
  Prices prices;
  std::optional<Greeks> greeks;
};

/// Each price from a formula of its own (without volatility or time left: if exercised), in one sweep with all greeks.
Valuation valuation(const Contracts& contracts, bool greeks);

}  // namespace apps
