/// @file
/// Parsers of the lines of a table of numbers: comma- or tab-separated values, or numbers with blanks between them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/line_error.h"

namespace kasen::io {

struct TableFormat {
  char separator = ' ';  ///< ',', ';', '\t', or ' ' for any number of blanks and tabs
  std::uint64_t columns = 0;
  NumberRule rule = {};
};

/// A line without what ends it and the blanks around it; a tab that separates fields is none.
std::string_view table_row_text(std::string_view line, char separator);

/// Whether a line is neither a row nor a header: it is blank, or a comment that begins with # or %. Tabs that separate
/// are fields, all of them empty.
inline bool is_table_comment(std::string_view line, char separator) {
  const std::string_view text = trimmed(line);
  if (text.empty()) return table_row_text(line, separator).empty();
  return text.front() == '#' || text.front() == '%';
}

/// The separator in a first line: a comma before a semicolon, a tab if it holds names, blanks. @throws LineError
char table_separator(std::string_view line);

/// Takes the field at the front of `rest`, quotes included, and what separates it from the next one, of which there are
/// `more`; false if a quote is not closed. Quotes count at the beginning of a field only.
bool take_table_field(std::string_view& rest, char separator, std::string_view& field, bool& more);
/// Of a line with another number of fields than expected: `rest` is too much, or it has only `count`. @throws LineError
[[noreturn]] void refuse_more_fields(std::size_t expected, std::size_t column, std::string_view rest);
[[noreturn]] void refuse_fewer_fields(std::size_t expected, std::size_t column, std::size_t count);
/// A field without quotes and the blanks within them, two quotes in it as one; in `room` if it is not there already.
std::string_view table_field_text(std::string_view field, std::string& room);

/// The fields of a line without the blanks and quotes around them. @throws LineError if a quote is not closed
std::vector<std::string> split_table_line(std::string_view line, char separator);

/// Whether all fields are numbers, infinite ones and nan included.
bool is_table_row(const std::vector<std::string>& fields);

/// Whether a first line names the columns: one field at least is a name, and none is a number outside quotes. All other
/// lines are rows, right or wrong. What stands for a missing number, such as NA, is no name.
bool names_columns(std::string_view line, char separator);

/// The names of columns as a line of a table: in quotes where one would be read as something else.
/// @return nothing if no line can hold them: they have control characters, or names_columns would see no name
std::optional<std::string> line_of_names(const std::vector<std::string>& names, char separator);

/// Appends the row's numbers. Numbers may stand in quotes. @throws LineError
void parse_table_line(std::string_view line, const TableFormat& format, std::vector<double>& values);

}  // namespace kasen::io
