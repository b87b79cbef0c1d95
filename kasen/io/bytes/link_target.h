/// @file
/// One name for a file, however it is spelled.
#pragma once

#include <string>

namespace kasen::io {

/// Local. `path` from the root on, with symbolic links followed, also those that lead to what is not there yet: a file
/// has one such name.
std::string link_target(const std::string& path);

}  // namespace kasen::io
