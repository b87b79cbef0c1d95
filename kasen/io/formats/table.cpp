#include "kasen/io/formats/table.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/formats/table_head.h"
#include "kasen/io/formats/table_line.h"
#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/text_lines.h"
#include "kasen/io/lines/text_output.h"

namespace kasen::io {

namespace {

/// A first line that names the columns; empty if they have no names.
std::string header_of(const std::string& path, const DenseData& data, char separator) {
  if (data.names.empty()) return {};
  const std::optional<std::string> line = line_of_names(data.names, separator);
  if (line) return *line + "\n";
  const auto bad = std::find_if(data.names.begin(), data.names.end(), has_control_character);
  throw InputError(path + ": cannot be written: " +
                   (bad != data.names.end() ? "a table in text cannot hold a column named " + quoted(*bad)
                                            : "the names of its columns would be read as numbers"));
}

}  // namespace

Likeness recognise_table(const Beginning& beginning) {
  if (index_value_pairs(beginning.first_content()) > 0) return Likeness::none;
  for (const char* ending : {".csv", ".tsv", ".dat", ".data"}) {
    if (beginning.ending() == ending) return Likeness::named;
  }
  return Likeness::possible;
}

Content look_at_table(const Beginning&, const ReadOptions&, std::optional<Kind>) { return {Kind::dense, true}; }

DenseData read_table(const comm::Communicator& communicator, const Text& text, const ReadOptions& options) {
  const TableHead head = read_table_head(communicator, text);
  const TableFormat format{head.separator, head.columns, {.finite = !options.allow_non_finite}};
  DenseData table;
  table.columns = head.columns;
  table.names = head.names;
  std::vector<double> values;
  read_lines(communicator, text, head.body, [&](const TextLine& line) {
    if (line.cut_off) throw LineError{0, "expected a row, found a line of more than 256 MiB"};
    if (is_table_comment(line.text, format.separator)) return check_table_comment(line);
    if (head.repeated_in(text, line)) return;
    try {
      parse_table_line(line.text, format, values);
    } catch (LineError& error) {
      const bool first = line.part == head.body.part && line.offset == head.body.offset;
      if (first && head.names.empty() && !is_table_row(split_table_line(line.text, format.separator))) {
        error.message += "; if the line names the columns, names that are numbers stand in quotes";
      }
      throw;
    }
  });
  table.rows = communicator.sum<std::uint64_t>(values.size()) / table.columns;
  if (table.rows == 0) throw InputError(text.path() + ": expected rows, found only the names of the columns");
  table.values = to_row_blocks(communicator, std::move(values), table.columns);
  return table;
}

void write_table(const comm::Communicator& communicator, const std::string& path, const DenseData& data,
                 char separator) {
  const std::string header = header_of(path, data, separator);
  if (data.rows == 0 || data.columns == 0) {
    throw InputError(path + ": cannot be written: a table in text cannot hold " + std::to_string(data.rows) +
                     " rows of " + std::to_string(data.columns) + " columns");
  }
  const std::uint64_t rows = data.values.size() / data.columns;
  write_sections(communicator, path, header, 1, rows, [&](std::uint64_t, std::uint64_t row, std::string& text) {
    for (std::uint64_t column = 0; column < data.columns; ++column) {
      append(text, data.values[row * data.columns + column]);
      text += column + 1 < data.columns ? separator : '\n';
    }
  });
}

void write_table(const comm::Communicator& communicator, const std::string& path, const DenseData& data) {
  write_table(communicator, path, data, path.ends_with(".csv") ? ',' : '\t');
}

DenseData label_table(std::uint64_t rows, std::vector<double> labels) {
  DenseData table;
  table.rows = rows;
  table.columns = 1;
  table.values = std::move(labels);
  return table;
}

}  // namespace kasen::io
