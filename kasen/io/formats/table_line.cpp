#include "kasen/io/formats/table_line.h"

#include <algorithm>
#include <array>

#include "kasen/base/printable.h"

namespace kasen::io {

namespace {

std::string expected_fields(std::size_t number) {
  return "expected " + std::to_string(number) + (number == 1 ? " field" : " fields");
}

bool takes_blanks(char separator) { return separator == ' '; }

bool is_quoted(std::string_view field) { return field.size() >= 2 && field.front() == '"' && field.back() == '"'; }

std::string_view inside(std::string_view field) {
  if (is_quoted(field)) field = trimmed(field.substr(1, field.size() - 2));
  return field;
}

bool is_number(std::string_view field) {
  double number = 0;
  const NumberFault fault = take_number(field, number, {.finite = false});
  return fault == NumberFault::too_large || (fault == NumberFault::none && field.empty());
}

/// Words that other software writes where there is no number.
bool is_missing(std::string_view field) {
  std::string small(field);
  for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  constexpr std::array<std::string_view, 9> kMissing{"", "na", "n/a", "#n/a", "null", "none", "nil", "?", "-"};
  return std::find(kMissing.begin(), kMissing.end(), small) != kMissing.end();
}

}  // namespace

std::string_view table_row_text(std::string_view line, char separator) {
  if (separator != '\t') return trimmed(line);
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

void refuse_more_fields(std::size_t expected, std::size_t column, std::string_view rest) {
  throw LineError{column, expected_fields(expected) + ", found more: " + quoted(rest)};
}

void refuse_fewer_fields(std::size_t expected, std::size_t column, std::size_t count) {
  throw LineError{column, expected_fields(expected) + ", found " + std::to_string(count)};
}

bool take_table_field(std::string_view& rest, char separator, std::string_view& field, bool& more) {
  while (!rest.empty() && is_blank(rest.front()) && (takes_blanks(separator) || rest.front() != separator))
    rest.remove_prefix(1);
  std::size_t end = 0;
  if (rest.starts_with('"')) {
    end = 1;
    while (true) {
      end = rest.find('"', end);
      if (end == std::string_view::npos) return false;
      if (end + 1 == rest.size() || rest[end + 1] != '"') break;
      end += 2;
    }
  }
  while (end < rest.size() && (takes_blanks(separator) ? !is_blank(rest[end]) : rest[end] != separator)) ++end;
  field = trimmed(rest.substr(0, end));
  rest.remove_prefix(end);
  more = !rest.empty();
  if (takes_blanks(separator)) {
    take_blanks(rest);
  } else if (more) {
    rest.remove_prefix(1);
  }
  return true;
}

std::string_view table_field_text(std::string_view field, std::string& room) {
  if (!is_quoted(field)) return field;
  field = inside(field);
  if (field.find("\"\"") == std::string_view::npos) return field;
  room = field;
  for (std::size_t at = 0; (at = room.find("\"\"", at)) != std::string::npos; ++at) room.erase(at, 1);
  return room;
}

char table_separator(std::string_view line) {
  const bool begins_empty = table_row_text(line, '\t').starts_with('\t');
  line = trimmed(line);
  bool in_quotes = false, at_begin = true;  // of a field, where quotes count
  char best = ' ';
  for (const char c : line) {
    const bool quotes = c == '"' && (in_quotes || at_begin);
    if (quotes) in_quotes = !in_quotes;
    at_begin = quotes || c == ';' || is_blank(c);  // two quotes are one
    if (in_quotes) continue;
    if (c == ',') return ',';
    if (c == ';' || (c == '\t' && best == ' ')) best = c;
  }
  // Of one name behind a tab the column before it has none, as that of row numbers; indented words may be several
  // names.
  if (best == ' ' && begins_empty && line.find_first_of(" \t") == std::string_view::npos && names_columns(line, '\t'))
    return '\t';
  // Numbers with tabs between them may be aligned with blanks as well; names may hold blanks.
  return best == '\t' && is_table_row(split_table_line(line, ' ')) ? ' ' : best;
}

std::vector<std::string> split_table_line(std::string_view line, char separator) {
  std::vector<std::string> fields;
  std::string room;
  std::string_view rest = table_row_text(line, separator), field;
  for (bool more = true; more;) {
    const auto column = static_cast<std::size_t>(rest.data() - line.data());
    if (!take_table_field(rest, separator, field, more))
      throw LineError{column, "expected a quote that closes in its line"};
    fields.emplace_back(table_field_text(field, room));
  }
  return fields;
}

bool is_table_row(const std::vector<std::string>& fields) {
  return std::all_of(fields.begin(), fields.end(), [](std::string_view field) {
    double number = 0;
    return take_number(field, number, {.finite = false}) == NumberFault::none && field.empty();
  });
}

bool names_columns(std::string_view line, char separator) {
  bool any_name = false;
  std::string_view rest = table_row_text(line, separator), field;
  for (bool more = true; more && take_table_field(rest, separator, field, more);) {
    const bool number = is_number(inside(field));
    if (number && !is_quoted(field)) return false;
    any_name = any_name || !(number || is_missing(inside(field)));
  }
  return any_name;
}

std::optional<std::string> line_of_names(const std::vector<std::string>& names, char separator) {
  std::string line;
  for (const std::string& name : names) {
    if (has_control_character(name)) return std::nullopt;
    if (!line.empty()) line += separator;
    const std::string_view text = trimmed(name);
    const bool comment = text.starts_with('#') || text.starts_with('%');
    const char* const marks = names.size() == 1 ? ",;\" " : ",;\"";  // blanks separate where nothing else does
    if (!text.empty() && !comment && !is_number(text) && text.find_first_of(marks) == std::string::npos) {
      line += name;
      continue;
    }
    line += '"';
    for (const char c : name) line += c == '"' ? std::string("\"\"") : std::string(1, c);
    line += '"';
  }
  return names_columns(line, separator) ? std::optional(line) : std::nullopt;
}

void parse_table_line(std::string_view line, const TableFormat& format, std::vector<double>& values) {
  const std::string_view row = table_row_text(line, format.separator);
  const auto skip_blanks = [tabs = format.separator == '\t'](std::string_view& text) {
    while (!text.empty() && (tabs ? text.front() == ' ' : is_blank(text.front()))) text.remove_prefix(1);
  };
  std::string_view rest = row;
  std::uint64_t count = 0;
  for (bool more = true; more; ++count) {
    // The fast path: a number and then a separator.
    skip_blanks(rest);
    std::string_view after = rest;
    double number = 0;
    NumberFault fault = take_number(after, number, format.rule);
    if (fault == NumberFault::none && count < format.columns) {
      const bool blanks = !after.empty() && is_blank(after.front());
      skip_blanks(after);
      const bool separated =
          takes_blanks(format.separator) ? blanks : !after.empty() && after.front() == format.separator;
      if (after.empty() || separated) {
        more = !after.empty();
        if (more && !takes_blanks(format.separator)) after.remove_prefix(1);
        rest = after;
        values.push_back(number);
        continue;
      }
    }
    ControlByte control{};
    if (find_control_byte(line, control)) throw LineError{control.position, control.message};
    const auto column = static_cast<std::size_t>(rest.data() - line.data());
    if (count >= format.columns) {
      refuse_more_fields(format.columns, column, rest);
    }
    std::string_view field;
    if (!take_table_field(rest, format.separator, field, more)) {
      throw LineError{column, "expected a quote that closes in its line, found " + quoted(rest)};
    }
    std::string_view text = inside(field);
    fault = text.empty() ? NumberFault::no_number : take_number(text, number, format.rule);
    if (fault == NumberFault::none && !text.empty()) fault = NumberFault::no_number;
    if (fault != NumberFault::none) throw LineError{column, number_fault(fault, "a number", field, format.rule)};
    values.push_back(number);
  }
  if (count < format.columns) {
    refuse_fewer_fields(format.columns, row.size() + static_cast<std::size_t>(row.data() - line.data()), count);
  }
}

}  // namespace kasen::io
