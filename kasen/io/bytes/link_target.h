/// @file
/// The canonical name of a file, with symbolic links followed.
#pragma once

#include <string>

namespace kasen::io {

/// Local. `path` from the root on, with symbolic links followed, also those that lead to files that are not there yet:
/// a file has one such name.
std::string link_target(const std::string& path);

}  // namespace kasen::io
