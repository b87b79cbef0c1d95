#include "tests/fuzz/combination.h"

#include <mpi.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <sstream>

#include "kasen/base/error.h"
#include "kasen/session/command_line.h"
#include "optimizer/optimize.h"
#include "tests/fuzz/draw.h"
#include "tests/fuzz/partition_file.h"

namespace kasen::tests::fuzz {
namespace {

constexpr const char* kFile = "FILE";

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

/// The first word of an option, which is the default, is drawn as often as all others together; of these all are alike.
struct Choice {
  std::string option;
  bool mostly_default;
  std::vector<std::string> words;
};

struct Choices {
  std::vector<Choice> options;
  std::vector<std::string> passes;
  Choices() {
    for (const std::string_view name : optimizer::optional_passes()) passes.emplace_back(name);
    for (const char* option : {"--fusion", "--sync", "--roles", "--routes", "--overlap", "--storage"}) {
      options.push_back({option, true, words_of(option)});
    }
    for (const char* option : {"--partition", "--numbering"}) options.push_back({option, false, words_of(option)});
    options[options.size() - 2].words.emplace_back(kFile);
  }
};

const Choices& choices() {
  static const Choices drawn_from;
  return drawn_from;
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

std::vector<std::pair<std::string, std::vector<std::string>>> option_words() {
  std::vector<std::pair<std::string, std::vector<std::string>>> words;
  for (const Choice& choice : choices().options) words.emplace_back(choice.option, choice.words);
  words.emplace_back("--threads", std::vector<std::string>{"1", "2", "3"});
  return words;
}

std::vector<std::string> switched_off() { return choices().passes; }

std::vector<Combination> combinations(const Program& program, int count) {
  int workers = 1;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  const bool has_file = partition_text(program, workers).has_value();
  const Draw all = Draw(program.seed).split(100);
  std::vector<Combination> drawn;
  for (int k = 0; k < count; ++k) {
    Draw draw = all.split(static_cast<std::uint64_t>(k));
    Combination combination;
    std::string& line = combination.command_line;
    line = "--quiet";
    for (const Choice& choice : choices().options) {
      std::string word = choice.mostly_default && draw.chance(50) ? choice.words[0] : draw.of(choice.words);
      if (word == kFile && !has_file) word = choice.words[0];
      // Nothing but products in blocks can be overlapped.
      if (choice.option == "--storage" && combination.words.back().second == "on" && draw.chance(75)) word = "blocked";
      combination.words.emplace_back(choice.option, word);
      line += " " + choice.option + " " + (word == kFile ? partition_path() : word);
      // Of exact plans the first thousands are cheap to cost only once.
      if (word == "exact") line += " --search-budget " + std::to_string(draw.chance(10) ? 3000 : 150);
      if (word == "hybrid-cut") line += " --threshold " + std::to_string(draw.between(0, 6));
    }
    const int off = k == 0 || draw.chance(40) ? 0 : draw.chance(80) ? 1 : 2;
    const bool searches = line.find(" --fusion exact") != std::string::npos;
    for (int pass = 0; pass < off; ++pass) {
      const std::string name = draw.of(choices().passes);
      if (!searches || name != "fuse") line += " --passes=-" + name;  // which is refused together
    }
    const std::string threads = std::to_string(draw.chance(50) ? 1 : draw.between(2, 3));
    combination.words.emplace_back("--threads", threads);
    line += " --threads " + threads;
    combination.options = parsed(line);
    combination.options.part_elements = 4;
    if (draw.chance(20)) combination.options.exchange_limit = 16;
    if (draw.chance(50)) combination.options.settled_entries = static_cast<std::uint64_t>(draw.between(0, 20));
    if (draw.chance(60)) combination.options.settled_walks = static_cast<std::uint64_t>(draw.between(0, 1));
    if (combination.options.storage != Storage::compressed) combination.options.block_edge = 8;
    drawn.push_back(std::move(combination));
  }
  return drawn;
}

}  // namespace kasen::tests::fuzz
