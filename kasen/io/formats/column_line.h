/// @file
/// Parser of the lines of a table whose columns have several types.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/io/data/column_data.h"
#include "kasen/io/ids/id_table.h"
#include "kasen/io/lines/line_error.h"
#include "kasen/io/lines/number_rule.h"

namespace kasen::io {

/// The fields of one column as lines are read; words have numbers in the order in which they came first.
class ColumnFields {
 public:
  explicit ColumnFields(ColumnType type) : _type(type) {}

  /// Takes up a field, without its quotes. @throws LineError, at column 0
  void add(std::string_view field, const NumberRule& rule);
  /// To be called behind the last field.
  void finish() { number_words(); }

  ColumnType type() const { return _type; }
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  std::vector<std::int32_t> days;
  std::vector<std::uint32_t> word_numbers;
  const Words& words() const { return _table.keys(); }  ///< by number

 private:
  static constexpr std::size_t kBatch = 256;
  void number_words();

  ColumnType _type;
  WordTable _table;
  Words _batch;  ///< words that have no numbers yet
};

/// Which field of a line goes to which column.
struct ColumnsFormat {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  char separator = ' ';
  std::vector<std::size_t> column_of;  ///< by field; kNone: the field is not wanted
  NumberRule rule = {};
};

/// Appends the wanted fields of a row to their columns. @throws LineError
void parse_column_line(std::string_view line, const ColumnsFormat& format, std::vector<ColumnFields>& columns);

/// The day of a date such as 1998-09-02. @return whether the text is one
bool parse_date(std::string_view text, std::int32_t& day);

}  // namespace kasen::io
