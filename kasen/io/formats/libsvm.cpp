#include "kasen/io/formats/libsvm.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "kasen/base/error.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/data/row_block.h"
#include "kasen/io/formats/libsvm_line.h"
#include "kasen/io/lines/text_lines.h"
#include "kasen/io/lines/text_output.h"

namespace kasen::io {

namespace {

constexpr std::string_view kTooLong = "expected a sample, found a line of more than 256 MiB";

}  // namespace

Likeness recognise_libsvm(const Beginning& beginning) {
  const std::vector<std::string>& lines = beginning.content();
  const bool pairs =
      std::any_of(lines.begin(), lines.end(), [](const std::string& line) { return index_value_pairs(line) > 0; });
  if (pairs) return Likeness::likely;
  const bool one_word = beginning.first_content().find_first_of(" \t,;") == std::string_view::npos;
  return one_word ? Likeness::possible : Likeness::none;
}

Content look_at_libsvm(const Beginning&, const ReadOptions&, std::optional<Kind>) { return {Kind::samples, true}; }

SparseData read_libsvm(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                       const ValueRequest& values) {
  const LibsvmFormat format{
      values.rule, options.zero_based ? std::uint64_t{0} : std::uint64_t{1}, options.columns,
      options.any_columns ? std::numeric_limits<std::uint64_t>::max() : comm::available_memory(communicator)};
  if (const std::uint64_t needed = comm::bytes_of(options.columns, sizeof(double)); needed > format.memory) {
    throw InputError(text.path() + ": expected columns that fit into memory, found " + std::to_string(options.columns) +
                     " by --columns: " + comm::too_little_memory(needed, format.memory));
  }
  SparseData data;
  data.labelled = true;
  data.entries = no_entries(values);
  LibsvmSample sample;
  std::uint64_t width = 0;
  read_lines(communicator, text, text.start(), [&](const TextLine& line) {
    if (line.cut_off) throw LineError{0, std::string(kTooLong)};
    if (!parse_libsvm_line(line.text, format, sample)) return;
    const auto row = static_cast<GlobalIndex>(data.labels.size());
    for (std::size_t k = 0; k < sample.columns.size(); ++k) {
      append(data.entries, row, static_cast<GlobalIndex>(sample.columns[k]), sample.values[k]);
    }
    if (!sample.columns.empty()) width = std::max(width, sample.columns.back() + 1);
    data.labels.push_back(sample.label);
  });
  data.rows = communicator.sum<std::uint64_t>(data.labels.size());
  if (data.rows == 0) {
    throw InputError(text.path() + (text.empty() ? ": the file is empty" : ": expected samples, found none"));
  }
  data.columns = options.columns > 0 ? options.columns : communicator.max(width);
  const auto first = static_cast<GlobalIndex>(communicator.exclusive_sum(data.labels.size()));
  data.entries.row.transform([&](GlobalIndex row) { return row + first; });
  data.labels = to_row_blocks(communicator, std::move(data.labels), 1);
  return data;
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

}  // namespace kasen::io
