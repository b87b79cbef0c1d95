/// @file
/// Kasen's part of a program's command line.
#pragma once

#include "kasen/base/options.h"

namespace CLI {
class App;
}

namespace kasen {

/// Adds Kasen's options to the program's own and parses. @return false if help was asked for and printed (by
/// `first_worker` alone). @throws UsageError in one line.
bool parse_command_line(CLI::App& app, int argc, const char* const* argv, bool first_worker, Options& options);

}  // namespace kasen
