/// @file
/// Evaluates formulas as they are printed, by a reader's understanding of the symbols.
#pragma once

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include "kasen/base/placement_stats.h"

namespace kasen::optimizer::tests {

/// What each printed symbol stands for.
inline std::map<std::string, std::uint64_t> symbol_values(const PlacementStats& stats) {
  std::map<std::string, std::uint64_t> values{{"P(P-1)", std::uint64_t{stats.workers} * (stats.workers - 1)}};
  const auto numbered = [](std::size_t k, std::size_t count) { return count > 1 ? std::to_string(k) : ""; };
  for (std::size_t s = 0; s < stats.spaces.size(); ++s) {
    const std::string number = numbered(s, stats.spaces.size());
    values["N" + number] = stats.spaces[s].masters;
    values["S" + number] = stats.spaces[s].replicas;
    for (const auto& entry : stats.spaces[s].roles) {
      std::string name = "S" + number;
      for (const Role& role : entry.roles) {
        if (role.side == Role::Side::everywhere) {
          name += "_all";
          continue;
        }
        name += role.side == Role::Side::row ? "_row" : "_col";
        name += numbered(index_of(role.matrix), stats.matrices.size());
      }
      values[name] = entry.replicas;
    }
  }
  for (std::size_t m = 0; m < stats.matrices.size(); ++m) {
    const std::string number = numbered(m, stats.matrices.size());
    values["M" + number] = stats.matrices[m].nonzeros;
    values["R" + number + "_col"] = stats.matrices[m].by_column.runs;
    values["R" + number + "_row"] = stats.matrices[m].by_row.runs;
    values["L" + number + "_col"] = stats.matrices[m].by_column.long_runs;
    values["L" + number + "_row"] = stats.matrices[m].by_row.long_runs;
    values["T" + number + "_col"] = stats.matrices[m].stencils_by_column.runs;
    values["T" + number + "_row"] = stats.matrices[m].stencils_by_row.runs;
    values["K" + number + "_col"] = stats.matrices[m].stencils_by_column.entries;
    values["K" + number + "_row"] = stats.matrices[m].stencils_by_row.entries;
  }
  return values;
}

inline std::uint64_t evaluate_printed(const std::string& formula, const PlacementStats& stats) {
  if (formula == "0") return 0;
  const std::map<std::string, std::uint64_t> values = symbol_values(stats);
  std::istringstream terms(formula);
  std::uint64_t sum = 0;
  for (std::string term, plus; terms >> term; terms >> plus) {
    std::size_t digits = 0;
    while (digits < term.size() && std::isdigit(static_cast<unsigned char>(term[digits])) != 0) ++digits;
    const std::uint64_t coefficient = digits == 0 ? 1 : std::stoull(term.substr(0, digits));
    const std::string symbol = term.substr(digits);
    sum += coefficient * (symbol.empty() ? 1 : values.at(symbol));
  }
  return sum;
}

}  // namespace kasen::optimizer::tests
