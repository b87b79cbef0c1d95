/// @file
/// Options that random programs run under. What there is to choose from is asked of the command line and of the
/// optimizer, so that new values and passes are drawn as soon as they exist.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/options.h"
#include "tests/fuzz/program.h"

namespace kasen::tests::fuzz {

struct Combination {
  std::string command_line;  ///< "--fusion greedy --sync lazy ..."
  Options options;           ///< the same, and sizes that tests lower
  /// Option and word: {"--sync", "lazy"}.
  std::vector<std::pair<std::string, std::string>> words;
};

/// What is drawn from: the words of each option, and the passes that are switched off.
std::vector<std::pair<std::string, std::vector<std::string>>> option_words();
std::vector<std::string> switched_off();

/// Collective. Some drawn from the program's seed, the first of them with all passes on.
std::vector<Combination> combinations(const Program& program, int count);

}  // namespace kasen::tests::fuzz
