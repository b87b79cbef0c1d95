#include "apps/tables/plain_columns.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "kasen/base/error.h"
#include "kasen/workers.h"

namespace apps {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Quotes count at the beginning of a field; two within quotes are one; blanks around a field are none of it.
Fields fields_of(const std::string& line, char separator) {
  Fields fields(1);
  bool quoted = false, begins = true;
  const std::size_t begin = separator == ' ' ? line.find_first_not_of(" \t\r") : 0;
  for (std::size_t k = begin; k < line.size(); ++k) {
    const char c = line[k];
    const bool at_begin = begins;
    begins = c == separator || (begins && is_blank(c)) || (separator == ' ' && is_blank(c));
    if (c == '"' && quoted && line.substr(k + 1, 1) == "\"") {
      fields.back() += line[++k];
    } else if (c == '"' && (quoted || at_begin)) {
      quoted = !quoted;
    } else if (!quoted && separator == ' ' && is_blank(c)) {  // of which there may be several
      if (k + 1 < line.size() && !is_blank(line[k + 1])) fields.emplace_back();
    } else if (!quoted && c == separator) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  for (std::string& field : fields) {
    field.erase(0, std::min(field.find_first_not_of(" \t\r"), field.size()));
    field.erase(field.find_last_not_of(" \t\r") + 1);
  }
  return fields;
}

char separator_of(const std::string& names) {
  for (const char separator : {',', ';', '\t'}) {
    if (names.find(separator) != std::string::npos) return separator;
  }
  return ' ';
}

bool is_comment(const std::string& line, char separator) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return separator != '\t' || line.find(separator) == std::string::npos;
  return line[first] == '#' || line[first] == '%';
}

}  // namespace

void for_each_row(const std::string& path, const kasen::TableNames& given, const Fields& wanted,
                  const std::function<void(const Fields&)>& take) {
  if (std::filesystem::is_directory(path))
    throw kasen::InputError(path + ": --verify reads one file of text, and this is a directory");
  std::ifstream file(path);
  std::string line;
  std::vector<std::size_t> place;
  Fields some(wanted.size());
  char separator = given.separator;
  const auto find_places = [&](const Fields& names) {
    for (const std::string& name : wanted) {
      const auto found = std::find(names.begin(), names.end(), name);
      if (found == names.end())
        throw kasen::InputError(path + ": --verify reads text that is not compressed; it found no column " + name);
      place.push_back(static_cast<std::size_t>(found - names.begin()));
    }
  };
  if (!given.names.empty()) find_places(given.names);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  for (bool first = true; std::getline(file, line); first = false) {
    if (first && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (is_comment(line, place.empty() ? ' ' : separator)) continue;
    if (place.empty()) {
      separator = separator_of(line);
      find_places(fields_of(line, separator));
      continue;
    }
    const Fields all = fields_of(line, separator);
    for (std::size_t k = 0; k < place.size(); ++k) some[k] = place[k] < all.size() ? all[place[k]] : std::string();
    take(some);
  }
  if (!file.eof()) throw kasen::InputError(path + ": cannot be read");
}

bool found_by_first(const std::function<bool()>& holds) {
  std::uint64_t found = 0;
  kasen::workers::agree([&] { found = kasen::workers::rank() == 0 && holds() ? 1 : 0; });
  return kasen::workers::sum(found) == 1;
}

}  // namespace apps
