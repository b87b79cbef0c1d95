#include "apps/black_scholes/black_scholes.h"

#include <numbers>

namespace apps {

using kasen::map;
using kasen::zip_with;

namespace {

/// Divided by instead of 0, so that what is certain is far from the mean, and its square is still a number.
constexpr double kTiny = 1e-150;
constexpr double kRootOfHalf = std::numbers::sqrt2 / 2;
constexpr double kDensityOfMean = std::numbers::inv_sqrtpi * kRootOfHalf;

/// Of the standard normal distribution at every element; as accurate in either tail.
kasen::Vector<double> below(const kasen::Vector<double>& v) {
  return map(KASEN_FN((auto x), kasen::erfc(-kRootOfHalf * x) * 0.5), v);
}
kasen::Vector<double> above(const kasen::Vector<double>& v) {
  return map(KASEN_FN((auto x), kasen::erfc(kRootOfHalf * x) * 0.5), v);
}
kasen::Vector<double> density(const kasen::Vector<double>& v) {
  return map(KASEN_FN((auto x), kasen::exp(-0.5 * x * x) * kDensityOfMean), v);
}

}  // namespace

Prices prices_as_in_paper(const kasen::Vector<double>& spot, const kasen::Vector<double>& strike,
                          const Market& market) {
  const auto& [rate, volatility, years] = market;
  const auto deviation =
      kasen::apply(KASEN_FN((auto v, auto t), kasen::max(v * kasen::sqrt(t), kTiny)), volatility, years);
  const auto drift = kasen::apply(KASEN_FN((auto r, auto v, auto t), (r + v * v / 2) * t), rate, volatility, years);
  const auto discount = kasen::apply(KASEN_FN((auto r, auto t), kasen::exp(-r * t)), rate, years);

  auto ratio = zip_with(kasen::divides, spot, strike);
  auto logarithm = map(KASEN_FN((auto x), kasen::log(x)), ratio);
  auto drifted = map(kasen::plus, logarithm, drift);
  auto d1 = map(kasen::divides, drifted, deviation);
  auto d2 = map(kasen::minus, d1, deviation);
  auto twice = map(KASEN_FN((auto x), kasen::erfc(-kRootOfHalf * x)), d1);
  auto n1 = map(KASEN_FN((auto x), x * 0.5), twice);
  auto n2 = below(d2);
  auto discounted = map(kasen::times, strike, discount);
  auto gain = zip_with(kasen::times, spot, n1);
  auto cost = zip_with(kasen::times, discounted, n2);
  auto call = zip_with(kasen::minus, gain, cost);
  auto without_spot = zip_with(kasen::minus, call, spot);
  auto put = zip_with(kasen::plus, without_spot, discounted);
  return {call, put};
}

Valuation valuation(const Contracts& contracts, bool greeks) {
  const auto& [spot, strike, rate, volatility, years] = contracts;
  auto deviation = zip_with(KASEN_FN((auto v, auto t), kasen::max(v * kasen::sqrt(t), kTiny)), volatility, years);
  auto discounted = zip_with(KASEN_FN((auto k, auto r, auto t), k * kasen::exp(-r * t)), std::tie(strike, rate, years));
  auto d1 = zip_with(KASEN_FN((auto s, auto k, auto r, auto t, auto w), (kasen::log(s / k) + r * t) / w + w * 0.5),
                     std::tie(spot, strike, rate, years, deviation));
  auto d2 = zip_with(kasen::minus, d1, deviation);
  auto below1 = below(d1), above1 = above(d1), below2 = below(d2), above2 = above(d2);

  const auto difference = KASEN_FN((auto a, auto p, auto b, auto q), a * p - b * q);
  auto call = zip_with(difference, std::tie(spot, below1, discounted, below2));
  auto put = zip_with(difference, std::tie(discounted, above2, spot, above1));
  if (!greeks) return {{call, put}, std::nullopt};

  auto density1 = density(d1);
  auto delta_put = map(KASEN_FN((auto p), -p), above1);
  auto gamma = zip_with(KASEN_FN((auto f, auto s, auto w), f / (s * w)), std::tie(density1, spot, deviation));
  auto vega = zip_with(KASEN_FN((auto f, auto s, auto t), f * s * kasen::sqrt(t)), std::tie(density1, spot, years));
  auto decay = zip_with(KASEN_FN((auto f, auto s, auto v, auto t), f * s * v * 0.5 / kasen::max(kasen::sqrt(t), kTiny)),
                        std::tie(density1, spot, volatility, years));
  auto due_call = zip_with(kasen::times, discounted, below2), due_put = zip_with(kasen::times, discounted, above2);
  auto theta_call = zip_with(KASEN_FN((auto x, auto r, auto k), -(x + r * k)), std::tie(decay, rate, due_call));
  auto theta_put = zip_with(KASEN_FN((auto x, auto r, auto k), r * k - x), std::tie(decay, rate, due_put));
  auto rho_call = zip_with(kasen::times, years, due_call);
  auto rho_put = zip_with(KASEN_FN((auto t, auto k), -(t * k)), years, due_put);
  return {{call, put}, Greeks{below1, delta_put, gamma, vega, theta_call, theta_put, rho_call, rho_put}};
}

}  // namespace apps
