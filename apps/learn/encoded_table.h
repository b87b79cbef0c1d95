/// @file
/// Tables as features and targets: columns of numbers as they are, columns of words by a feature for each word.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kasen/kasen.h"

namespace apps {

/// Names of columns, each wanted once.
struct FeatureColumns {
  std::string target;
  std::vector<std::string> numbers, words;
};

/// Features are named after their column, or COLUMN=WORD: 1 where a sample has the word, else 0.
struct EncodedTable {
  kasen::Space samples;
  /// Of a sample: its numbers, the places of its words among those of their columns (-1: no feature), and the target.
  kasen::Rows<double> fields;
  /// How many are numbers, and for each column of words, the number of its first feature.
  kasen::Vector<double> layout;
  std::vector<std::string> features;  ///< numbers first, then words, ascending in their column; on every worker
};

/// Collective. The columns of the table at `path`: those of `numbers`, or all that are left if that is not given.
/// @throws InputError (by all workers) "FILE: ..." @throws UsageError if a column is named twice
FeatureColumns columns_of(const std::string& path, const std::string& target,
                          const std::optional<std::vector<std::string>>& numbers,
                          const std::vector<std::string>& words);
/// Local. The columns whose features these are.
FeatureColumns columns_of(const std::string& target, const std::vector<std::string>& features);

/// Collective. Reads a table. Memory: its fields, as numbers, three times while they are read.
/// @throws InputError (by all workers) "FILE: ...", also if there are no samples
EncodedTable read_encoded(const std::string& path, const FeatureColumns& columns);
/// Collective. The same with features that are known already: words that are none of them have none.
EncodedTable read_encoded(const std::string& path, const std::string& target, const std::vector<std::string>& features);

/// Of a sample: all features, and behind them the target.
inline constexpr auto expand = [](std::span<const double> fields, std::span<const double> layout,
                                  std::span<double> out) {
  const auto numbers = static_cast<std::size_t>(layout[0]);
  for (std::size_t k = 0; k < numbers; ++k) out[k] = fields[k];
  for (std::size_t k = numbers; k < out.size(); ++k) out[k] = 0;
  for (std::size_t k = 1; k < layout.size(); ++k) {
    if (const double word = fields[numbers + k - 1]; word >= 0) out[static_cast<std::size_t>(layout[k] + word)] = 1;
  }
  out.back() = fields.back();
};

}  // namespace apps
