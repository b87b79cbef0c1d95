#include "kasen/io/formats/table_head.h"

#include <span>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/io/formats/table_line.h"
#include "kasen/io/lines/fields.h"

namespace kasen::io {

namespace {

/// What worker 0 tells the others beside the line of names.
struct Found {
  char separator = ' ';
  std::uint64_t columns = 0;
  TextPosition body;
  bool any = false;    ///< line that is no comment
  bool named = false;  ///< it names the columns
};

/// Local.
Found find_head(const Text& text, std::string& names_line) {
  Found found;
  read_head(text, [&](const TextLine& line) {
    if (is_table_comment(line.text, ' ')) return true;
    ControlByte control{};
    if (find_control_byte(line.text, control)) throw LineError{control.position, control.message};
    found.any = true;
    found.separator = table_separator(line.text);
    found.columns = split_table_line(line.text, found.separator).size();
    found.named = names_columns(line.text, found.separator);
    found.body = found.named ? after(text, line) : position_of(text, line);
    if (found.named) names_line = line.text;
    return false;
  });
  return found;
}

}  // namespace

TableHead read_table_head(const comm::Communicator& communicator, const Text& text) {
  Found found;
  TableHead head;
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) found = find_head(text, head.names_line);
  });
  communicator.broadcast(std::span<Found>(&found, 1), 0);
  communicator.broadcast(head.names_line, 0);
  if (!found.any) {
    throw InputError(text.path() + (text.empty() ? ": the file is empty" : ": expected rows, found none"));
  }
  head.separator = found.separator;
  head.columns = found.columns;
  head.body = found.body;
  if (found.named) head.names = split_table_line(head.names_line, head.separator);
  return head;
}

bool TableHead::repeated_in(const Text& text, const TextLine& line) const {
  if (names.empty() || line.offset != text.parts()[line.part].origin) return false;
  return line.text == names_line ||
         (names_columns(line.text, separator) && split_table_line(line.text, separator) == names);
}

void check_table_comment(const TextLine& line) {
  const std::size_t nul = line.text.find('\0');
  if (nul != std::string_view::npos) throw LineError{nul, "not a text file: there is a byte 0x00"};
}

}  // namespace kasen::io
