/// @file
/// Columns of several types, as readers spread them over the workers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/io/lines/words.h"

namespace kasen::io {

/// The type of a column's fields, and of the elements that they become.
enum class ColumnType : std::uint8_t {
  integer,  ///< a whole number: std::int64_t
  number,   ///< double
  date,     ///< 1998-09-02: std::int32_t, days since 1970-01-01 (kasen/base/calendar.h)
  word      ///< any text, none included: std::int32_t, its place among the column's words in ascending order
};

/// A column that a program wants of a file.
struct WantedColumn {
  std::string name;
  ColumnType type;
};

/// What the first line of a table says, of one that has no such line.
struct TableNames {
  char separator = ',';
  std::vector<std::string> names;  ///< of all columns, in order; "" of one that nobody wants
};

/// A column as a worker has it; of the lists, the one of its type is filled.
struct ColumnData {
  std::string name;
  ColumnType type = ColumnType::number;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  std::vector<std::int32_t> days;
  std::vector<std::int32_t> codes;  ///< of words
  Words words;                      ///< distinct ones, ascending by their bytes; the same on every worker
};

struct ColumnsData {
  std::uint64_t rows = 0;           ///< of all workers; each has its block (partition::Assignment::block)
  std::vector<ColumnData> columns;  ///< as wanted
};

}  // namespace kasen::io
