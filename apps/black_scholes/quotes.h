/// @file
/// Reading of the numbers of options from a table.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "apps/black_scholes/black_scholes.h"
#include "kasen/io/data/read_options.h"

namespace apps {

/// The source of each of the five numbers of an option, in the order of Contracts.
struct QuoteSource {
  std::string path;
  kasen::io::ReadOptions input;
  /// The name of each number's column, or its number from 0.
  std::array<std::string, 5> columns = {"spot", "strike", "rate", "volatility", "years"};
  /// One value for all options instead of a column; for rate, volatility and years only.
  std::array<std::optional<double>, 5> value = {};
};
inline constexpr std::array<const char*, 5> kQuoteNames = {"spot", "strike", "rate", "volatility", "time"};

/// Collective. Reads the options. @throws AgreedError with the file, and the row of a meaningless number.
Contracts read_contracts(const QuoteSource& source);

}  // namespace apps
