/// @file
/// Names of the options that change plans, as a command line writes them.
#pragma once

#include <string>

#include "kasen/base/options.h"

namespace kasen {

std::string name_of(Fusion fusion);
std::string name_of(Sync sync);
std::string name_of(Partition partition);
std::string name_of(Storage storage);
std::string name_of(Numbering numbering);
std::string name_of(Overlap overlap);
std::string name_of(Routes routes);

/// What a plan was made by, as a command line: `--fusion` and `--sync`, and of --reproducible, --roles, --storage,
/// --overlap, --routes and --passes those that are not at their default.
std::string options_text(const Options& options);

}  // namespace kasen
