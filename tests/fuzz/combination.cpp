#include "tests/fuzz/combination.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

#include "kasen/base/error.h"
#include "kasen/command_line.h"
#include "optimizer/optimize.h"
#include "tests/fuzz/draw.h"

namespace kasen::tests::fuzz {
namespace {

/// The words that an option takes, as its help names them: "greedy|off".
std::vector<std::string> words_of(const std::string& option) {
  CLI::App app;
  Options options;
  const char* const nothing[] = {"fuzz"};
  parse_command_line(app, 1, nothing, false, options);
  std::vector<std::string> words;
  std::istringstream names(app.get_option(option)->get_type_name());
  for (std::string word; std::getline(names, word, '|');) {
    const bool placeholder = std::any_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (!placeholder) words.push_back(word);
  }
  return words;
}

/// Passes without which there still is a plan.
std::vector<std::string> optional_passes() {
  std::vector<std::string> names;
  for (const std::string_view name : optimizer::pass_names()) {
    Options options;
    options.passes_off = {std::string(name)};
    try {
      optimizer::check_passes(options);
      names.emplace_back(name);
    } catch (const UsageError&) {  // a pass that is needed
    }
  }
  return names;
}

struct Choices {
  std::vector<std::string> fusion = words_of("--fusion"), sync = words_of("--sync"),
                           partition = words_of("--partition"), roles = words_of("--roles"),
                           numbering = words_of("--numbering"), passes = optional_passes();
};

/// The first word, which is the default, half the time.
const std::string& one_of(Draw& draw, const std::vector<std::string>& words) {
  return draw.chance(50) ? words[0] : draw.of(words);
}

Options parsed(const std::string& command_line) {
  std::vector<std::string> words{"fuzz"};
  std::istringstream text(command_line);
  for (std::string word; text >> word;) words.push_back(word);
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  CLI::App app;
  Options options;
  parse_command_line(app, static_cast<int>(arguments.size()), arguments.data(), false, options);
  return options;
}

}  // namespace

std::vector<Combination> combinations(std::uint64_t seed, int count) {
  static const Choices choices;
  const Draw all = Draw(seed).split(77);
  std::vector<Combination> drawn;
  for (int k = 0; k < count; ++k) {
    Draw draw = all.split(static_cast<std::uint64_t>(k));
    Combination combination;
    std::string& line = combination.command_line;
    line = "--quiet --fusion " + one_of(draw, choices.fusion) + " --sync " + one_of(draw, choices.sync) +
           " --partition " + draw.of(choices.partition) + " --threshold " + std::to_string(draw.between(0, 6)) +
           " --roles " + one_of(draw, choices.roles);
    const int off = k == 0 || draw.chance(40) ? 0 : draw.chance(80) ? 1 : 2;
    for (int pass = 0; pass < off; ++pass) line += " --passes=-" + draw.of(choices.passes);
    const bool large_counts = draw.chance(20), blocked = draw.chance(30);
    if (blocked) line += " --storage blocked";
    line += " --numbering " + draw.of(choices.numbering);
    combination.options = parsed(line);
    if (large_counts) combination.options.exchange_limit = 16;
    if (blocked) combination.options.block_edge = 8;
    drawn.push_back(std::move(combination));
  }
  return drawn;
}

}  // namespace kasen::tests::fuzz
