#include "kasen/io/formats/columns.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/formats/column_line.h"
#include "kasen/io/formats/formats.h"
#include "kasen/io/formats/table_head.h"
#include "kasen/io/formats/table_line.h"
#include "kasen/io/formats/tell.h"
#include "kasen/io/lines/fields.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

namespace {

std::string listed(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// @param table the separator and the names of all columns
ColumnsFormat format_of(const std::string& path, const TableNames& table, const std::vector<WantedColumn>& wanted,
                        const ReadOptions& options) {
  ColumnsFormat format{table.separator,
                       std::vector<std::size_t>(table.names.size(), ColumnsFormat::kNone),
                       {.finite = !options.allow_non_finite}};
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto named = [&](const std::string& name) { return name == wanted[k].name; };
    const auto found = std::find_if(table.names.begin(), table.names.end(), named);
    if (found == table.names.end()) {
      throw InputError(path + ": expected a column named " + quoted(wanted[k].name) + ", found only " +
                       printable(listed(table.names)));
    }
    if (std::find_if(found + 1, table.names.end(), named) != table.names.end()) {
      throw InputError(path + ": expected one column named " + quoted(wanted[k].name) + ", found several");
    }
    format.column_of[static_cast<std::size_t>(found - table.names.begin())] = k;
  }
  return format;
}

/// The words in ascending order, each once.
Words sorted(const Words& words) {
  std::vector<std::uint64_t> order(words.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  std::sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) { return words[a] < words[b]; });
  Words once;
  for (const std::uint64_t k : order) {
    if (once.size() == 0 || once[once.size() - 1] != words[k]) once.push_back(words[k]);
  }
  return once;
}

/// Collective. The column's words, the same on every worker, and codes by them.
void encode(const comm::Communicator& communicator, const std::string& path, const ColumnFields& fields,
            ColumnData& column) {
  const Words all = all_gather(communicator, fields.words()).values;
  comm::agree(communicator, [&] {
    column.words = sorted(all);
    if (column.words.size() > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
      throw InputError(path + ": more than 2,147,483,647 words in the column " + quoted(column.name));
    }
    std::vector<std::int32_t> code(fields.words().size());
    for (std::uint64_t k = 0; k < code.size(); ++k) {
      code[k] = static_cast<std::int32_t>(column.words.lower_bound(fields.words()[k]));
    }
    column.codes.reserve(fields.word_numbers.size());
    for (const std::uint32_t number : fields.word_numbers) column.codes.push_back(code[number]);
  });
}

ColumnsData read(const comm::Communicator& communicator, const std::string& path,
                 const std::vector<WantedColumn>& wanted, const ReadOptions& options, const TableNames& given) {
  const Text text(communicator, path, options.skip_lines);
  const bool is_told = given.names.empty() || options.format != "auto";
  if (is_told) {
    if (const Format& told = io::format_of(communicator, text, Kind::dense, options); told.name != "table")
      throw InputError(path + ": is read as " + std::string(told.name) + ", expected a table in text");
  }
  TableHead head;
  head.body = text.start();
  if (given.names.empty()) {
    head = read_table_head(communicator, text);
    if (head.names.empty()) throw InputError(path + ": expected a first line that names the columns, found none");
  }
  const ColumnsFormat format =
      format_of(path, given.names.empty() ? TableNames{head.separator, head.names} : given, wanted, options);

  std::vector<ColumnFields> fields;
  for (const WantedColumn& column : wanted) fields.emplace_back(column.type);
  std::uint64_t rows = 0;
  read_lines(communicator, text, head.body, [&](const TextLine& line) {
    if (line.cut_off) throw LineError{0, "expected a row, found a line of more than 256 MiB"};
    if (is_table_comment(line.text, format.separator)) return check_table_comment(line);
    if (head.repeated_in(text, line)) return;
    parse_column_line(line.text, format, fields);
    ++rows;
  });

  ColumnsData data;
  data.rows = communicator.sum(rows);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    ColumnData column;
    column.name = wanted[k].name;
    column.type = wanted[k].type;
    comm::agree(communicator, [&] { fields[k].finish(); });
    if (column.type == ColumnType::word) encode(communicator, path, fields[k], column);
    column.integers = to_row_blocks(communicator, std::move(fields[k].integers), 1);
    column.numbers = to_row_blocks(communicator, std::move(fields[k].numbers), 1);
    column.days = to_row_blocks(communicator, std::move(fields[k].days), 1);
    column.codes = to_row_blocks(communicator, std::move(column.codes), 1);
    data.columns.push_back(std::move(column));
  }
  return data;
}

}  // namespace

ColumnsData read_columns(const comm::Communicator& communicator, const std::string& path,
                         const std::vector<WantedColumn>& wanted, const ReadOptions& options, const TableNames& given) {
  return comm::alike([&] { return read(communicator, path, wanted, options, given); });
}

}  // namespace kasen::io
