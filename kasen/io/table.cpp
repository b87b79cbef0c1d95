#include "kasen/io/table.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/matrix_rows.h"
#include "kasen/io/table_line.h"
#include "kasen/io/text_lines.h"

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

}  // namespace

DenseData read_table(const comm::Communicator& communicator, const Text& text, const NumberRule& rule) {
  Head head;
  std::string header_line;
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) head = read_table_head(text, rule, header_line);
  });
  communicator.broadcast(std::span<Head>(&head, 1), 0);
  communicator.broadcast(header_line, 0);
  if (!head.any) {
    throw InputError(text.path() + (text.size() == 0 ? ": the file is empty" : ": expected rows, found none"));
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

}  // namespace kasen::io
