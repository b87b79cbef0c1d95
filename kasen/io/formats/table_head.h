/// @file
/// The head of a table in text: how its fields are separated, and the names of its columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/lines/text.h"
#include "kasen/io/lines/text_lines.h"

namespace kasen::io {

struct TableHead {
  char separator = ' ';
  std::uint64_t columns = 0;
  TextPosition body;               ///< where the first row begins
  std::string names_line;          ///< the text of the line that names the columns; empty if none does
  std::vector<std::string> names;  ///< of the columns; empty if they have none

  /// Whether a line names these columns, as the first of another file of a directory: quotes, blanks around it and how
  /// the line ends are no matter.
  bool repeated_in(const Text& text, const TextLine& line) const;
};

/// Collective. The first line that is neither blank nor a comment says how fields are separated: by commas, else
/// semicolons, else tabs, else blanks. It names the columns if one field at least is a name, and none is a number
/// outside quotes.
/// @throws AgreedError "FILE: ..." or "FILE:LINE:COLUMN: ..."
TableHead read_table_head(const comm::Communicator& communicator, const Text& text);

/// Throws LineError if a line, blank or a comment, is none of a text.
void check_table_comment(const TextLine& line);

}  // namespace kasen::io
