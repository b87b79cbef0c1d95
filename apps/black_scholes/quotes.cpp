#include "apps/black_scholes/quotes.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "apps/common/columns.h"
#include "comm/agreement.h"
#include "kasen/base/error.h"

namespace apps {

namespace {

/// Volatility and time may be 0, prices not; interest is any number.
void check(const std::string& path, const std::array<std::vector<double>, 5>& quotes, std::uint64_t first_row) {
  for (std::size_t row = 0; row < quotes[0].size(); ++row) {
    for (const std::size_t k : {0, 1, 3, 4}) {
      const bool price = k < 2;
      if (quotes[k].empty() || (price ? quotes[k][row] > 0 : quotes[k][row] >= 0)) continue;
      throw kasen::InputError(fmt::format("{}: row {}: found {} {}, expected a number {}", path, first_row + row + 1,
                                          kQuoteNames[k], quotes[k][row], price ? "above 0" : "from 0"));
    }
  }
}

}  // namespace

Contracts read_contracts(const QuoteSource& source) {
  const kasen::Table table = kasen::read_table(source.path, source.input);
  if (table.rows().length() == 0) throw kasen::InputError(source.path + ": expected options, found none");
  std::array<kasen::Vector<double>, 5> quote{kasen::Vector<double>{}, kasen::Vector<double>{}, kasen::Vector<double>{},
                                             kasen::Vector<double>{}, kasen::Vector<double>{}};
  std::array<std::vector<double>, 5> values;
  for (std::size_t k = 0; k < 5; ++k) {
    if (source.value[k]) {
      quote[k] = kasen::constant(table.rows(), *source.value[k]);
    } else {
      quote[k] = table.column(column_number(source.path, table.names(), table.columns(), source.columns[k]));
      values[k] = kasen::block_values(quote[k]);
    }
  }
  kasen::workers::agree(
      [&] { check(source.path, values, static_cast<std::uint64_t>(kasen::block_of(table.rows()).first)); });
  return {quote[0], quote[1], quote[2], quote[3], quote[4]};
}

}  // namespace apps
