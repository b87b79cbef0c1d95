/// @file
/// Prices of European options, and how they react to the market.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <numeric>
#include <span>

#include "apps/black_scholes/black_scholes.h"
#include "apps/black_scholes/quotes.h"
#include "apps/black_scholes/verify.h"
#include "apps/common/verdict.h"
#include "kasen/input_options.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct BlackScholesOptions {
  apps::QuoteSource quotes;
  bool greeks = false;
  bool as_in_paper() const { return quotes.value[2] && quotes.value[3] && quotes.value[4] && !greeks; }
};

void add_options(CLI::App& app, BlackScholesOptions& options) {
  app.add_option("--options", options.quotes.path, "options: " + kasen::table_formats())
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  const std::array<const char*, 5> columns = {"--spot-column", "--strike-column", "--rate-column",
                                              "--volatility-column", "--time-column"};
  for (std::size_t k = 0; k < columns.size(); ++k) {
    app.add_option(columns[k], options.quotes.columns[k], "by name, or by number from 0")
        ->type_name("COLUMN")
        ->capture_default_str();
  }
  const auto value = [&](const char* name, std::size_t k, const char* help) {
    return app.add_option(name, options.quotes.value[k], help)
        ->type_name("NUMBER")
        ->excludes(app.get_option(columns[k]));
  };
  value("--rate", 2, "continuous interest a year, of all options")
      ->check(kasen::number_between(std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max(),
                                    "a finite number"));
  const CLI::Validator from_0 = kasen::number_between(0, std::numeric_limits<double>::max(), "a number from 0");
  value("--volatility", 3, "per year, of all options")->check(from_0);
  value("--time", 4, "years to expiry, of all options")->check(from_0);
  app.add_flag("--greeks", options.greeks, "delta, gamma, vega, theta and rho as well");
  kasen::add_input_options(app, options.quotes.input, kasen::kTables);
  app.footer("Example: kasen-run -n 4 black-scholes --options quotes.csv --greeks --output prices.h5");
}

using Outputs = std::array<std::optional<kasen::Vector<double>>, apps::kValueNames.size()>;

Outputs price(const BlackScholesOptions& options) {
  const apps::Contracts contracts = apps::read_contracts(options.quotes);
  if (options.as_in_paper()) {
    const auto& value = options.quotes.value;
    const auto [call, put] =
        apps::prices_as_in_paper(contracts.spot, contracts.strike, {*value[2], *value[3], *value[4]});
    return {call, put};
  }
  const auto [prices, greeks] = apps::valuation(contracts, options.greeks);
  if (!greeks) return {prices.call, prices.put};
  return {prices.call,  prices.put,         greeks->delta_call, greeks->delta_put, greeks->gamma,
          greeks->vega, greeks->theta_call, greeks->theta_put,  greeks->rho_call,  greeks->rho_put};
}

void verify(const BlackScholesOptions& options, const Outputs& outputs) {
  std::array<std::vector<double>, 10> values;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    if (outputs[k]) values[k] = kasen::block_values(*outputs[k]);
  }
  const apps::ValuationError worst = apps::valuation_error(options.quotes, values);
  apps::verdict(worst.holds(),
                fmt::format("largest difference from the formula {:.2g}{}, from put-call parity {:.2g}", worst.formula,
                            worst.where.empty() ? "" : fmt::format(" ({})", worst.where), worst.parity));
}

/// Runs what is pending. (Reductions would be further operations of the program that is planned.)
std::string summary(const Outputs& outputs) {
  const auto mean = [&](const kasen::Vector<double>& v) {
    const std::vector<double> mine = kasen::block_values(v);
    return kasen::workers::sum(std::accumulate(mine.begin(), mine.end(), 0.0)) / static_cast<double>(v.length());
  };
  const std::uint64_t count = outputs[0]->length();
  const double call = mean(*outputs[0]), put = mean(*outputs[1]);
  return fmt::format("{} option{}, {} worker{}, mean call {:.6g}, mean put {:.6g}\n", count, count == 1 ? "" : "s",
                     kasen::workers::size(), kasen::workers::size() == 1 ? "" : "s", call, put);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Black-Scholes prices of European options, by all workers together");
  BlackScholesOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);

  const Outputs outputs = price(options);
  std::optional<kasen::Output> output;
  if (!session.options().output.empty()) {
    output.emplace(session.options().output);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      if (outputs[k]) output->add(apps::kValueNames[k], *outputs[k]);
    }
  }
  if (session.options().verify) verify(options, outputs);
  if (output) output->commit();
  session.print(summary(outputs));
  return 0;
}
