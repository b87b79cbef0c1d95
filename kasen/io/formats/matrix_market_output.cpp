/// @file
/// Writing Matrix Market files: coordinates by rows, arrays by columns.
#include <utility>

#include "kasen/io/data/row_block.h"
#include "kasen/io/formats/matrix_market.h"
#include "kasen/io/lines/text_output.h"

namespace kasen::io {

void write_matrix_market(const comm::Communicator& communicator, const std::string& path, SparseData data) {
  const bool pattern = data.entries.value_bytes == 0;
  const RowBlock block = to_row_block(communicator, std::move(data.entries), data.rows, data.columns);
  const std::uint64_t entries = communicator.sum<std::uint64_t>(block.column.size());
  const std::string header = std::string("%%MatrixMarket matrix coordinate ") + (pattern ? "pattern" : "real") +
                             " general\n" + std::to_string(data.rows) + " " + std::to_string(data.columns) + " " +
                             std::to_string(entries) + "\n";
  const std::vector<GlobalIndex> row = block.rows_of_entries();
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

}  // namespace kasen::io
