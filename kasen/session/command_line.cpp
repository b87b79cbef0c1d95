#include "kasen/session/command_line.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "kasen/base/option_names.h"
#include "kasen/base/thread_team.h"
#include "kasen/option_values.h"
#include "optimizer/optimize.h"

namespace kasen {
namespace {

constexpr const char* kGroup = "Kasen";

/// "--passes -rotate" as one word: a value that starts with a dash looks like an option. @throws UsageError for another
/// pass behind it, which would look like one, too
std::vector<std::string> arguments(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = argc - 1; i > 0; --i) words.emplace_back(argv[i]);  // CLI11 takes them in reverse
  for (std::size_t i = words.size(); i-- > 1;) {
    if (words[i] == "--passes" && words[i - 1].starts_with('-')) {
      words[i] += "=" + words[i - 1];
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i - 1));
      const std::vector<std::string_view> passes = optimizer::optional_passes();
      if (i > 1 && words[i - 2].starts_with('-') &&
          std::find(passes.begin(), passes.end(), words[i - 2].substr(1)) != passes.end())
        throw UsageError("--passes: names stand behind each other with commas: " + words[i - 1] + "," + words[i - 2]);
    }
  }
  return words;
}

/// Adds an option of Kasen whose value is one of the words, the first of them the default.
template <class T, std::size_t n>
void add_words(CLI::App& app, const std::string& name, T& variable, const OptionWord<T> (&words)[n],
               const std::string& help) {
  add_choice<T>(app, name, variable, {std::begin(words), std::end(words)}, help)->group(kGroup);
}

std::string partition_words() {
  std::string words;
  for (const auto& [word, partition] : kPartitionWords) words += (words.empty() ? "" : "|") + std::string(word);
  return words;
}

/// Takes what --partition is given: a word, or the name of a file.
void take_partition(const std::string& given, Options& options) {
  for (const auto& [word, partition] : kPartitionWords) {
    if (given != word) continue;
    options.partition = partition;
    options.partition_file.clear();
    return;
  }
  std::error_code none;
  if (!std::filesystem::is_regular_file(given, none))
    throw CLI::ValidationError("--partition", "'" + given + "' is not one of " + partition_words() + ", nor a file");
  options.partition = Partition::file;
  options.partition_file = given;
}

}  // namespace

void take_passes(const std::vector<std::string>& given, Options& options) {
  for (const std::string& pass : given) {
    if (pass.size() < 2 || pass[0] != '-')
      throw UsageError("--passes: '" + pass + "' should be -NAME, to switch NAME off");
    options.passes_off.push_back(pass.substr(1));
  }
}

void add_planning_options(CLI::App& app, Options& options, std::vector<std::string>& passes) {
  app.add_option("--threads", options.threads, "threads of each worker; results have the same bits for any number")
      ->transform(whole_number(1))
      ->type_name("T")
      ->capture_default_str()
      ->group(kGroup);
  add_words(app, "--fusion", options.fusion, kFusionWords,
            "off: every primitive alone; exact: searches the plan of least predicted time");
  app.add_option("--search-budget", options.search_budget, "exact: plans to cost at most, in whole or in part")
      ->transform(whole_number())
      ->type_name("N")
      ->capture_default_str()
      ->group(kGroup);
  add_words(app, "--sync", options.sync, kSyncWords, "where gathers and scatters are placed");
  app.add_option_function<std::string>(
         "--partition", [&options](const std::string& given) { take_partition(given, options); },
         "how index spaces and non-zeros are spread; FILE: the part of each element")
      ->type_name(partition_words() + "|FILE")
      ->group(kGroup);
  app.add_option(
         "--threshold", options.threshold,
         "hybrid-cut and auto: columns with more non-zeros are cut; auto tries several, or another than 100 alone")
      ->transform(whole_number())
      ->type_name("N")
      ->capture_default_str()
      ->group(kGroup);
  add_choice<bool>(app, "--roles", options.roles, {{"on", true}, {"off", false}},
                   "off: transitions move all replicas (the paper's rule)")
      ->group(kGroup);
  add_words(
      app, "--storage", options.storage, kStorageWords,
      "how local matrices are stored for products; auto: dense without zeros, in blocks or as stencils where that "
      "saves time");
  add_words(
      app, "--numbering", options.numbering, kNumberingWords,
      "local order of elements; degree: those with the most non-zeros first; auto: so where vectors outgrow the cache");
  add_words(app, "--overlap", options.overlap, kOverlapWords,
            "vectors travel while other work is done; auto: where that saves time");
  add_words(
      app, "--routes", options.routes, kRoutesWords,
      "vectors travel by one call of all workers or by messages to neighbours alone; auto: where that saves time");
  app.add_option("--passes", passes,
                 "switches optimizer passes, or parts of them, off, as in --passes=-rotate,-in-place")
      ->delimiter(',')
      ->type_name("-NAME,...")
      ->group(kGroup);
  app.add_option("--profile", options.profile, "what this cluster can do, from kasen-calibrate")
      ->check(given_name())
      ->type_name("FILE.json")
      ->group(kGroup);
}

void check_options(const Options& options) {
  if (options.threads < 1 || options.threads > ThreadTeam::kMostThreads)
    throw UsageError("--threads: " + std::to_string(options.threads) + " is not a number from 1 to " +
                     std::to_string(ThreadTeam::kMostThreads));
  if (options.trace_every < 1) throw UsageError("--trace-every: 0 is not a number from 1");
  if (options.trace_events < 1) throw UsageError("--trace: there is no room for events");
  if (options.storage == Storage::stencils && options.reproducible)
    throw UsageError("--storage stencils: not with --reproducible, whose sums are not made by stencils (see --help)");
  if (options.analyze && !options.resume.empty())
    throw UsageError("--resume: with --analyze no step is run that could go on from a checkpoint (see --help)");
}

void check_planning_options(const CLI::App& app, const Options& options) {
  const auto given = [&](const char* name) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    return option != nullptr && option->count() > 0;
  };
  const bool cuts = options.partition == Partition::automatic || options.partition == Partition::hybrid_cut;
  if (given("--threshold") && !cuts && options.record.empty())  // what is recorded says which columns are long
    throw UsageError("--threshold: is of --partition hybrid-cut and auto, and another one is asked for (see --help)");
  check_options(options);
  if (given("--checkpoint-interval") && options.checkpoint.empty())
    throw UsageError("--checkpoint-interval: is of --checkpoint, which is not asked for (see --help)");
  if (given("--trace-every") && options.trace.empty())
    throw UsageError("--trace-every: is of --trace, which is not asked for (see --help)");
  if (given("--search-budget") && options.fusion != Fusion::exact)
    throw UsageError("--search-budget: is of --fusion exact, which is not asked for (see --help)");
}

bool parse(CLI::App& app, int argc, const char* const* argv, bool first_worker) {
  if (app.get_name().empty()) app.name(std::filesystem::path(argv[0]).filename().string());
  try {
    app.parse(arguments(argc, argv));
  } catch (const CLI::CallForHelp&) {
    if (first_worker) std::cout << app.help() << std::flush;
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string(error.what()) + " (see --help)");
  }
  return true;
}

namespace {

/// The program's own options that were given, but not what stands without a name, which mostly are files.
std::vector<std::pair<std::string, std::string>> options_of_program(const CLI::App& app) {
  std::vector<std::pair<std::string, std::string>> given;
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_group() == kGroup || option->get_positional() || option->count() == 0) continue;
    std::string values;
    for (const std::string& value : option->results()) values += (values.empty() ? "" : " ") + value;
    given.emplace_back(option->get_name(), values);
  }
  return given;
}

}  // namespace

bool parse_command_line(CLI::App& app, int argc, const char* const* argv, bool first_worker, Options& options) {
  std::vector<std::string> passes;
  add_planning_options(app, options, passes);
  app.add_option("--memory", options.memory,
                 "what a worker may take; what is known to need more is refused before it begins")
      ->transform(memory_size())
      ->type_name(kMemorySize)
      ->group(kGroup);
  app.add_flag("--reproducible", options.reproducible,
               "results have the same bits at any number of workers and however data is spread")
      ->group(kGroup);
  app.add_option("--print-after", options.print_after, "prints the program or plan after these passes (or all)")
      ->delimiter(',')
      ->type_name("NAME,...")
      ->group(kGroup);
  app.add_option("--report", options.report, "writes the run report")
      ->check(given_name())
      ->type_name("FILE.json")
      ->group(kGroup);
  app.add_flag("--explain", options.explain, "prints the plan with its costs")->group(kGroup);
  app.add_flag("--analyze", options.analyze,
               "prints what plans would cost, before and after optimization; runs nothing")
      ->group(kGroup);
  app.add_option("--record", options.record, "writes the programs that ran, for kasen-analyze")
      ->check(given_name())
      ->type_name("FILE.json")
      ->group(kGroup);
  app.add_option("--trace", options.trace, "writes a timeline of all workers, for Perfetto and kasen-report")
      ->check(given_name())
      ->type_name("FILE.json")
      ->group(kGroup);
  app.add_option("--trace-every", options.trace_every, "of the iterations of outermost loops, only each N-th is traced")
      ->transform(whole_number(1))
      ->type_name("N")
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--dump-dag", options.dump_dag, "draws the plan for Graphviz")
      ->check(given_name())
      ->type_name("FILE.dot")
      ->group(kGroup);
  app.add_flag("--verify", options.verify, "checks the result independently")->group(kGroup);
  app.add_option("--output", options.output,
                 "writes the result, if the program has one; .tsv and .mtx: as text, of most programs")
      ->check(given_name())
      ->type_name("FILE.h5")
      ->group(kGroup);
  app.add_option("--checkpoint", options.checkpoint, "writes checkpoints into this folder, and keeps the last two")
      ->check(given_name())
      ->type_name("DIR")
      ->group(kGroup);
  app.add_option("--checkpoint-interval", options.checkpoint_interval,
                 "between checkpoints; 0: one after each iteration and between runs")
      ->check(number_between(0, 1e9, "a number of seconds from 0"))
      ->type_name("SECONDS")
      ->capture_default_str()
      ->group(kGroup);
  app.add_option("--resume", options.resume, "goes on from the newest whole checkpoint in this folder")
      ->check(given_name())
      ->type_name("DIR")
      ->group(kGroup);
  app.add_flag("--progress", options.progress, "shows iterations on stderr; on a terminal they are shown anyway")
      ->group(kGroup);
  app.add_flag("--quiet", options.quiet, "prints nothing but errors")->group(kGroup);
  if (!parse(app, argc, argv, first_worker)) return false;
  check_planning_options(app, options);
  take_passes(passes, options);
  options.of_program = options_of_program(app);
  return true;
}

bool parse_command_line(int argc, const char* const* argv, bool first_worker, Options& options) {
  CLI::App app;
  return parse_command_line(app, argc, argv, first_worker, options);
}

}  // namespace kasen
