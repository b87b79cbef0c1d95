/// @file
/// The lines of a table of numbers: comma- or tab-separated values, or numbers with blanks between them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/io/fields.h"
#include "kasen/io/line_error.h"

namespace kasen::io {

struct TableFormat {
  char separator = ' ';  ///< ',', ';', '\t', or ' ' for any number of blanks and tabs
  std::uint64_t columns = 0;
  NumberRule rule = {};
};

/// Neither a row nor a header: blank, or a comment that begins with # or %.
inline bool is_table_comment(std::string_view line) {
  line = trimmed(line);
  return line.empty() || line.front() == '#' || line.front() == '%';
}

/// By the first line: a comma before a semicolon, a tab if it holds names, blanks. @throws LineError
char table_separator(std::string_view line);

/// A line's fields without the blanks and quotes around them. @throws LineError if a quote is not closed in the line
std::vector<std::string> split_table_line(std::string_view line, char separator);

/// All fields are numbers, infinite ones and nan included; otherwise a first line names the columns.
bool is_table_row(const std::vector<std::string>& fields);

/// Appends the row's numbers. Numbers may stand in quotes. @throws LineError
void parse_table_line(std::string_view line, const TableFormat& format, std::vector<double>& values);

}  // namespace kasen::io
