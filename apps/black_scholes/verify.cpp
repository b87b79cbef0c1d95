#include "apps/black_scholes/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "apps/common/columns.h"
#include "kasen/io/formats/read.h"
#include "kasen/make_vector.h"
#include "kasen/workers.h"

namespace apps {

namespace {

using Real = long double;

struct Expected {
  std::array<Real, 10> value;
  std::array<Real, 10> scale;  ///< differences are relative to these
  Real discounted;
};

Real distribution(Real x) { return std::erfc(-x / std::numbers::sqrt2_v<Real>) / 2; }

/// In the order of kValueNames.
Expected expected(Real spot, Real strike, Real rate, Real volatility, Real years) {
  const Real root = std::sqrt(years), deviation = volatility * root, discounted = strike * std::exp(-rate * years);
  const Real moneyness = std::log(spot / strike) + rate * years;
  const Real certain = moneyness > 0 ? 1.0L : moneyness < 0 ? 0.0L : 0.5L;  // without volatility or time
  const bool random = deviation > 0;
  const Real d1 = moneyness / deviation + deviation / 2, d2 = moneyness / deviation - deviation / 2;
  const Real n1 = random ? distribution(d1) : certain, n2 = random ? distribution(d2) : certain;
  const Real m1 = random ? distribution(-d1) : 1 - certain, m2 = random ? distribution(-d2) : 1 - certain;
  const Real top = std::numbers::inv_sqrtpi_v<Real> / std::numbers::sqrt2_v<Real>;
  const Real density = random ? top * std::exp(-d1 * d1 / 2) : moneyness == 0 ? top : 0.0L;
  const Real vega = spot * density * root, decay = random ? spot * density * volatility / (2 * root) : 0.0L;
  const Real due = rate * discounted, amount = spot + discounted;
  // How d1 follows from spot and strike, which the greeks do more than the prices.
  const Real condition = random ? 1 + (std::abs(std::log(spot / strike)) + std::abs(rate * years)) / deviation : 1.0L;
  const Real least = std::numeric_limits<double>::min();
  const Real certain_scale = moneyness == 0 ? std::numeric_limits<Real>::infinity() : 1.0L;  // they jump there
  const Real gamma_scale = random ? condition / (spot * deviation) : certain_scale;
  const Real theta_scale = random ? condition * (spot * volatility / root + std::abs(due)) : certain_scale + amount;
  const Real rho_scale = condition * years * discounted + least;
  return {
      {spot * n1 - discounted * n2, discounted * m2 - spot * m1, n1, -m1, random ? density / (spot * deviation) : 0.0L,
       vega, -decay - due * n2, due * m2 - decay, years * discounted * n2, -years * discounted * m2},
      {amount, amount, condition, condition, gamma_scale, condition * spot * root + least, theta_scale, theta_scale,
       rho_scale, rho_scale},
      discounted};
}

/// A difference relative to a scale; infinite if it is no number.
double relative(Real difference, Real scale) {
  const auto size = static_cast<double>(std::abs(difference) / scale);
  return std::isnan(size) ? std::numeric_limits<double>::infinity() : size;
}

}  // namespace

ValuationError valuation_error(const QuoteSource& source, const std::array<std::vector<double>, 10>& values) {
  const kasen::comm::Communicator& workers = kasen::workers::communicator();
  const kasen::io::DenseData table = kasen::io::read_dense(workers, source.path, source.input);
  std::array<std::uint64_t, 5> column{};
  for (std::size_t k = 0; k < 5; ++k) {
    if (!source.value[k]) column[k] = column_number(source.path, table.names, table.columns, source.columns[k]);
  }
  const auto first = static_cast<std::uint64_t>(kasen::block_of(kasen::Space(table.rows)).first);
  ValuationError worst;
  for (std::size_t row = 0; row < values[0].size(); ++row) {
    std::array<Real, 5> quote{};
    for (std::size_t k = 0; k < 5; ++k) {
      quote[k] = source.value[k] ? *source.value[k] : table.values[row * table.columns + column[k]];
    }
    const Expected right = expected(quote[0], quote[1], quote[2], quote[3], quote[4]);
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k].empty()) continue;
      const double difference = relative(values[k][row] - right.value[k], right.scale[k]);
      if (difference <= worst.formula) continue;
      worst.formula = difference;
      worst.where = fmt::format("{} of row {}", kValueNames[k], first + row + 1);
    }
    const Real parity = static_cast<Real>(values[0][row]) - values[1][row] - quote[0] + right.discounted;
    worst.parity = std::max(worst.parity, relative(parity, right.scale[0]));
  }
  const std::vector<double> all = kasen::workers::all_gather(worst.formula);
  const auto at = static_cast<kasen::Rank>(std::max_element(all.begin(), all.end()) - all.begin());
  workers.broadcast(worst.where, at);
  worst.formula = all[static_cast<std::size_t>(at)];
  worst.parity = kasen::workers::max(worst.parity);
  return worst;
}

}  // namespace apps
