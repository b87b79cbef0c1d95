/// @file
/// Cleaning of a column of words, such as zip codes that people have typed in: the workload "data cleaning" of Palkar
/// et al., Evaluating End-to-End Optimization for Data Analytics Applications in Weld (VLDB 2018).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/kasen.h"

namespace apps {

struct CleaningRules {
  std::vector<std::string> missing;  ///< words that stand for none, as they are or as they are kept
  std::uint64_t keep = 0;            ///< so many bytes at a word's beginning; 0: all
};

/// A column after its words were cleaned.
struct CleanColumn {
  kasen::WordColumn words;         ///< codes of -1 are of rows without a word
  std::vector<std::int64_t> rows;  ///< by code: how many have the word
  std::int64_t without = 0;        ///< rows
};

/// Collective. Each distinct word is cleaned once; rows get the codes of what became of theirs. Empty words stand for
/// none, too. Cost: one pass over the rows; on every worker the distinct words.
CleanColumn clean_words(const kasen::WordColumn& column, const CleaningRules& rules);

}  // namespace apps
