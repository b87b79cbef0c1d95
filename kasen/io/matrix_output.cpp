/// @file
/// What each text format makes of a row or an entry.
#include "kasen/io/matrix_output.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/fields.h"
#include "kasen/io/row_block.h"
#include "kasen/io/table_line.h"
#include "kasen/io/text_output.h"

namespace kasen::io {

namespace {

/// The rows of entries, one after the other: what formats need that list entries.
std::vector<GlobalIndex> rows_of_entries(const RowBlock& block) {
  std::vector<GlobalIndex> rows(block.column.size());
  for (std::uint64_t r = 0; r < block.rows(); ++r) {
    std::fill(rows.begin() + static_cast<std::ptrdiff_t>(block.begin[r]),
              rows.begin() + static_cast<std::ptrdiff_t>(block.begin[r + 1]),
              static_cast<GlobalIndex>(block.first + r));
  }
  return rows;
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

/// The names of vertices as an edge list can hold them, each once.
class Names {
 public:
  /// Collective. @param used any vertices, in any order; replaced by their places among the names.
  Names(const comm::Communicator& communicator, const VertexIds& ids, std::vector<GlobalIndex>& used) {
    if (ids.length() == 0) return;
    std::vector<GlobalIndex> distinct(used);
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (GlobalIndex& vertex : used) {
      vertex = std::lower_bound(distinct.begin(), distinct.end(), vertex) - distinct.begin();
    }
    _names = ids.names(communicator, distinct);
  }
  /// @throws InputError if a name would be read as something else.
  void check(const std::string& path) const {
    for (const std::string& name : _names) {
      const bool blank = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c <= ' '; });
      if (name.empty() || blank || name[0] == '#' || name[0] == '%') {
        throw InputError(path + ": cannot be written: an edge list cannot hold a vertex named " + quoted(name));
      }
    }
  }
  void append_to(std::string& text, GlobalIndex vertex) const {
    if (_names.empty()) {
      append(text, vertex);
    } else {
      text += _names[static_cast<std::size_t>(vertex)];
    }
  }

 private:
  std::vector<std::string> _names;
};

}  // namespace

void write_matrix_market(const comm::Communicator& communicator, const std::string& path, SparseData data) {
  const bool pattern = data.entries.value_bytes == 0;
  const RowBlock block = to_row_block(communicator, std::move(data.entries), data.rows, data.columns);
  const std::uint64_t entries = communicator.sum<std::uint64_t>(block.column.size());
  const std::string header = std::string("%%MatrixMarket matrix coordinate ") + (pattern ? "pattern" : "real") +
                             " general\n" + std::to_string(data.rows) + " " + std::to_string(data.columns) + " " +
                             std::to_string(entries) + "\n";
  const std::vector<GlobalIndex> row = rows_of_entries(block);
  write_sections(communicator, path, header, 1, row.size(), [&](std::uint64_t, std::uint64_t k, std::string& text) {
    append(text, row[k] + 1);
    text += ' ';
    append(text, block.column[k] + 1);
    if (!pattern) append(text += ' ', block.value[k]);
    text += '\n';
  });
}

void write_matrix_market(const comm::Communicator& communicator, const std::string& path, const DenseData& data) {
  const std::string header = "%%MatrixMarket matrix array real general\n" + std::to_string(data.rows) + " " +
                             std::to_string(data.columns) + "\n";
  const std::uint64_t rows = data.columns == 0 ? 0 : data.values.size() / data.columns;
  write_sections(communicator, path, header, data.columns, rows,
                 [&](std::uint64_t column, std::uint64_t row, std::string& text) {
                   append(text, data.values[row * data.columns + column]);
                   text += '\n';
                 });
}

void write_edge_list(const comm::Communicator& communicator, const std::string& path, SparseData data) {
  if (!data.graph) throw InputError(path + ": cannot be written: an edge list holds graphs, and these are samples");
  const bool pattern = data.entries.value_bytes == 0;
  RowBlock block = to_row_block(communicator, std::move(data.entries), data.rows, data.columns);
  const std::uint64_t edges = communicator.sum<std::uint64_t>(block.column.size());
  std::vector<GlobalIndex> row = rows_of_entries(block);
  const Names sources(communicator, data.ids, row), targets(communicator, data.ids, block.column);
  comm::agree(communicator, [&] {
    sources.check(path);
    targets.check(path);
  });
  const std::string header = "# " + std::to_string(data.rows) + " vertices, " + std::to_string(edges) + " edges\n";
  write_sections(communicator, path, header, 1, row.size(), [&](std::uint64_t, std::uint64_t k, std::string& text) {
    sources.append_to(text, row[k]);
    targets.append_to(text += ' ', block.column[k]);
    if (!pattern) append(text += ' ', block.value[k]);
    text += '\n';
  });
}

void write_libsvm(const comm::Communicator& communicator, const std::string& path, SparseData data) {
  const bool pattern = data.entries.value_bytes == 0;
  const RowBlock block = to_row_block(communicator, std::move(data.entries), data.rows, data.columns);
  comm::agree(communicator, [&] {
    for (std::uint64_t r = 0; r < block.rows(); ++r) {
      const auto begin = block.column.begin() + static_cast<std::ptrdiff_t>(block.begin[r]);
      const auto end = block.column.begin() + static_cast<std::ptrdiff_t>(block.begin[r + 1]);
      if (const auto twice = std::adjacent_find(begin, end); twice != end) {
        throw InputError(path + ": cannot be written: row " + std::to_string(block.first + r) +
                         " has two values in column " + std::to_string(*twice) + ", and LIBSVM holds one");
      }
    }
  });
  write_sections(communicator, path, "", 1, block.rows(), [&](std::uint64_t, std::uint64_t r, std::string& text) {
    append(text, data.labelled ? data.labels[r] : 0.0);
    for (std::uint64_t k = block.begin[r]; k < block.begin[r + 1]; ++k) {
      append(text += ' ', block.column[k] + 1);
      append(text += ':', pattern ? 1.0 : block.value[k]);
    }
    text += '\n';
  });
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

DenseData label_table(std::uint64_t rows, std::vector<double> labels) {
  DenseData table;
  table.rows = rows;
  table.columns = 1;
  table.values = std::move(labels);
  return table;
}

}  // namespace kasen::io
