/// @file
/// Plain reading of columns, for --verify: line by line, by one worker, with nothing of Kasen's readers.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kasen/columns.h"

namespace apps {

using Fields = std::vector<std::string>;

/// Local. Calls `take` with the wanted fields of each row of a text file that is not compressed, without quotes around
/// them. Its first line names the columns, and its first comma, semicolon or tab is the separator, else blanks, unless
/// `given` has names. @throws InputError
void for_each_row(const std::string& path, const kasen::TableNames& given, const Fields& wanted,
                  const std::function<void(const Fields&)>& take);

/// Collective. What the first worker finds.
bool found_by_first(const std::function<bool()>& holds);

}  // namespace apps
