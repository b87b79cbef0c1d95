/// @file
/// The data of options, out of a table.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "apps/black_scholes/black_scholes.h"
#include "kasen/io/data/read_options.h"

namespace apps {

/// Where the five numbers of an option come from, in the order of Contracts.
struct QuoteSource {
  std::string path;
  kasen::io::ReadOptions input;
  /// A column's name, or its number from 0.
  std::array<std::string, 5> columns = {"spot", "strike", "rate", "volatility", "years"};
  /// One value for all options instead of a column: rate, volatility, years; of spot and strike never.
  std::array<std::optional<double>, 5> value = {};
};
inline constexpr std::array<const char*, 5> kQuoteNames = {"spot", "strike", "rate", "volatility", "time"};

/// Collective. @throws InputError (agreed) that names the file, and the row where a number has no meaning.
Contracts read_contracts(const QuoteSource& source);

}  // namespace apps
