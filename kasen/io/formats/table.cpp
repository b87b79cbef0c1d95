#include "kasen/io/formats/table.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/formats/table_line.h"
#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/text_lines.h"
#include "kasen/io/lines/text_output.h"

namespace kasen::io {

namespace {

struct Head {
  TableFormat format;
  TextPosition body;
  bool any = false;     ///< line that is no comment
  bool header = false;  ///< it names the columns
};

/// Local. `header_line` is the text of the line that names the columns.
Head read_table_head(const Text& text, const NumberRule& rule, std::string& header_line) {
  Head head;
  head.format.rule = rule;
  read_head(text, [&](const TextLine& line) {
    if (is_table_comment(line.text)) return true;
    ControlByte control{};
    if (find_control_byte(line.text, control)) throw LineError{control.position, control.message};
    head.any = true;
    head.format.separator = table_separator(line.text);
    const std::vector<std::string> fields = split_table_line(line.text, head.format.separator);
    head.format.columns = fields.size();
    head.header = names_columns(line.text, head.format.separator);
    head.body = head.header ? after(text, line) : position_of(text, line);
    if (head.header) header_line = line.text;
    return false;
  });
  return head;
}

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
  const NumberRule rule{.finite = !options.allow_non_finite};
  Head head;
  std::string header_line;
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) head = read_table_head(text, rule, header_line);
  });
  communicator.broadcast(std::span<Head>(&head, 1), 0);
  communicator.broadcast(header_line, 0);
  if (!head.any) {
    throw InputError(text.path() + (text.empty() ? ": the file is empty" : ": expected rows, found none"));
  }

  DenseData table;
  table.columns = head.format.columns;
  if (head.header) table.names = split_table_line(header_line, head.format.separator);
  std::vector<double> values;
  read_lines(communicator, text, head.body, [&](const TextLine& line) {
    if (line.cut_off) throw LineError{0, "expected a row, found a line of more than 256 MiB"};
    if (is_table_comment(line.text)) {
      const std::size_t nul = line.text.find('\0');
      if (nul != std::string_view::npos) throw LineError{nul, "not a text file: there is a byte 0x00"};
      return;
    }
    if (head.header && line.offset == text.parts()[line.part].origin && line.text == header_line) return;
    try {
      parse_table_line(line.text, head.format, values);
    } catch (LineError& error) {
      const bool first = line.part == head.body.part && line.offset == head.body.offset;
      if (first && !head.header && !is_table_row(split_table_line(line.text, head.format.separator))) {
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
  const std::uint64_t rows = data.columns == 0 ? 0 : data.values.size() / data.columns;
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
