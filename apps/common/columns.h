/// @file
/// Look-up of a table's columns by the names or numbers that command lines give.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apps {

/// The number of the column that `asked` names, or numbers from 0, in a table with these names (empty: none).
/// @throws InputError "PATH: expected ..."
std::uint64_t column_number(const std::string& path, const std::vector<std::string>& names, std::uint64_t columns,
                            const std::string& asked);

}  // namespace apps
