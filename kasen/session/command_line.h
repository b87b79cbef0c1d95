/// @file
/// Kasen's options on a program's command line: adding, parsing and checking them.
#pragma once

#include <string>
#include <vector>

#include "kasen/base/options.h"

namespace CLI {
class App;
}

namespace kasen {

/// Adds the options that change plans. `passes` receives the value of --passes; take_passes moves it to `options`.
void add_planning_options(CLI::App& app, Options& options, std::vector<std::string>& passes);
/// Sets options.passes_off from the value of --passes. @throws UsageError for a word that is none
void take_passes(const std::vector<std::string>& passes, Options& options);

/// @throws UsageError for options that exclude each other, and numbers that are out of range.
void check_options(const Options& options);
/// @throws UsageError if an option is given that has no effect under the others.
void check_planning_options(const CLI::App& app, const Options& options);

/// Parses the command line for an app whose options are all added. @return and @throws as below.
bool parse(CLI::App& app, int argc, const char* const* argv, bool first_worker);

/// Adds Kasen's options to the program's own and parses. @return false if help was asked for and printed (by
/// `first_worker` alone). @throws UsageError in one line.
bool parse_command_line(CLI::App& app, int argc, const char* const* argv, bool first_worker, Options& options);
/// The same for a program that has no options of its own.
bool parse_command_line(int argc, const char* const* argv, bool first_worker, Options& options);

}  // namespace kasen
