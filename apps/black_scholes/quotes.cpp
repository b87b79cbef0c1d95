#include "apps/black_scholes/quotes.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "apps/common/columns.h"
#include "comm/agreement.h"
#include "kasen/base/error.h"

namespace apps {

namespace {

/// Local. Volatility and time may be 0, prices not; interest is any number.
/// @param columns of quotes in the table; none: one value for all
void check(const std::string& path, const kasen::Table& table,
           const std::array<std::optional<std::uint64_t>, 5>& columns) {
  const std::uint64_t first_row = static_cast<std::uint64_t>(kasen::block_of(table.rows()).first);
  for (std::uint64_t row = 0; row * table.columns() < table.block().size(); ++row) {
    for (const std::size_t k : {0, 1, 3, 4}) {
      if (!columns[k]) continue;
      const double quote = table.block()[row * table.columns() + *columns[k]];
      const bool price = k < 2;
      if (price ? quote > 0 : quote >= 0) continue;
      throw kasen::InputError(fmt::format("{}: row {}: found {} {}, expected a number {}", path, first_row + row + 1,
                                          kQuoteNames[k], quote, price ? "above 0" : "from 0"));
    }
  }
}

}  // namespace

Contracts read_contracts(const QuoteSource& source) {
  const kasen::Table table = kasen::read_table(source.path, source.input);
  if (table.rows().length() == 0) throw kasen::InputError(source.path + ": expected options, found none");
  std::array<kasen::Vector<double>, 5> quote{kasen::Vector<double>{}, kasen::Vector<double>{}, kasen::Vector<double>{},
                                             kasen::Vector<double>{}, kasen::Vector<double>{}};
  std::array<std::optional<std::uint64_t>, 5> columns;
  for (std::size_t k = 0; k < 5; ++k) {
    if (source.value[k]) {
      quote[k] = kasen::constant(table.rows(), *source.value[k]);
    } else {
      columns[k] = column_number(source.path, table.names(), table.columns(), source.columns[k]);
      quote[k] = table.column(*columns[k]);
    }
  }
  kasen::workers::agree([&] { check(source.path, table, columns); });
  return {quote[0], quote[1], quote[2], quote[3], quote[4]};
}

}  // namespace apps
