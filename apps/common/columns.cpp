#include "apps/common/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "kasen/base/error.h"

namespace apps {

std::uint64_t column_number(const std::string& path, const std::vector<std::string>& names, std::uint64_t columns,
                            const std::string& asked) {
  const auto found = std::find(names.begin(), names.end(), asked);
  if (found != names.end()) {
    if (std::find(found + 1, names.end(), asked) != names.end()) {
      throw kasen::InputError(fmt::format("{}: expected one column named '{}', found several", path, asked));
    }
    return static_cast<std::uint64_t>(found - names.begin());
  }
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(asked.data(), asked.data() + asked.size(), number);
  if (error == std::errc() && end == asked.data() + asked.size() && number < columns) return number;
  throw kasen::InputError(fmt::format("{}: expected a column '{}', found {} column{}{}", path, asked, columns,
                                      columns == 1 ? "" : "s",
                                      names.empty() ? " without names" : fmt::format(": {}", fmt::join(names, ", "))));
}

}  // namespace apps
