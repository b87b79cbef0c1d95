#include "kasen/io/formats/matrix_market.h"

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/agreement.h"
#include "comm/available_memory.h"
#include "kasen/base/error.h"
#include "kasen/io/data/matrix_rows.h"
#include "kasen/io/data/within_limit.h"
#include "kasen/io/formats/matrix_market_line.h"
#include "kasen/io/lines/text_lines.h"

namespace kasen::io {

namespace {

using Symmetry = MatrixMarketHeader::Symmetry;

struct Head {
  MatrixMarketHeader header;
  TextPosition body;
  bool whole = false;
};

/// How a matrix is wanted.
struct Request {
  bool values, any_columns;
};

/// The least that a matrix takes: its entries, and a number for each row and column.
std::uint64_t least_bytes(const MatrixMarketHeader& header, const Request& request) {
  using comm::bytes_and, comm::bytes_of;
  const bool values = request.values;
  const std::uint64_t indices =
      bytes_and(bytes_of(header.rows, 8), request.any_columns ? 0 : bytes_of(header.columns, 8));
  const std::uint64_t entry =
      bytes_of_index(header.rows) + bytes_of_index(header.columns) + (values ? sizeof(double) : 0);
  return bytes_and(indices, bytes_of(header.entries, entry));
}

/// Local. @param available bytes of memory of all workers together.
Head read_matrix_market_head(const Text& text, const Request& request, std::uint64_t available) {
  Head head;
  bool banner = false;
  read_head(text, [&](const TextLine& line) {
    if (!std::exchange(banner, true)) {
      head.header = parse_matrix_market_banner(line.text);
      return true;
    }
    if (is_matrix_market_comment(line.text)) return true;
    parse_matrix_market_sizes(line.text, head.header);
    const std::uint64_t needed = least_bytes(head.header, request);
    if (needed > available) {
      throw LineError{0, "expected a matrix that fits into memory, found " + std::to_string(head.header.rows) + " x " +
                             std::to_string(head.header.columns) + " with " + std::to_string(head.header.entries) +
                             " entries: " + comm::too_little_memory(needed, available)};
    }
    head.body = after(text, line);
    head.whole = true;
    return false;
  });
  if (!head.whole) throw InputError(text.path() + ": expected a Matrix Market file, found no line with its sizes");
  return head;
}

Head agreed_head(const comm::Communicator& communicator, const Text& text, const Request& request) {
  Head head;
  const std::uint64_t available = comm::available_memory(communicator);
  comm::agree(communicator, [&] {
    if (communicator.rank() == 0) head = read_matrix_market_head(text, request, available);
  });
  communicator.broadcast(std::span<Head>(&head, 1), 0);
  return head;
}

/// Adds an entry and, if the matrix is symmetric, its other half.
void append_with_mirror(Entries& entries, Symmetry symmetry, std::uint64_t row, std::uint64_t column, double value) {
  const auto r = static_cast<GlobalIndex>(row), c = static_cast<GlobalIndex>(column);
  append(entries, r, c, value);
  if (symmetry != Symmetry::general && row != column) {
    append(entries, c, r, symmetry == Symmetry::symmetric ? value : -value);
  }
}

/// From values by columns, the first of them number `first` of the file, to entries. Of a symmetric matrix the file has
/// the lower triangle.
void place_by_columns(const MatrixMarketHeader& header, std::uint64_t first, const std::vector<double>& values,
                      Entries& entries) {
  const auto top = [&](std::uint64_t column) {
    return header.symmetry == Symmetry::general ? 0 : column + (header.symmetry == Symmetry::symmetric ? 0 : 1);
  };
  std::uint64_t column = 0, before = 0;  // elements of the columns before
  for (std::uint64_t k = 0; k < values.size(); ++k) {
    while (before + (header.rows - top(column)) <= first + k) before += header.rows - top(column++);
    append_with_mirror(entries, header.symmetry, top(column) + (first + k - before), column, values[k]);
  }
}

/// Collective.
Entries read_entries(const comm::Communicator& communicator, const Text& text, const Head& head,
                     const ValueRequest& values) {
  const MatrixMarketHeader& header = head.header;
  Entries entries = no_entries(values);
  std::vector<double> by_columns;
  std::uint64_t count = 0;
  read_lines(communicator, text, head.body, [&](const TextLine& line) {
    if (is_matrix_market_comment(line.text)) return;
    const MatrixMarketEntry entry = parse_matrix_market_entry(line.text, header, values.rule);
    ++count;
    if (header.array) {
      by_columns.push_back(entry.value);
    } else {
      append_with_mirror(entries, header.symmetry, entry.row, entry.column, entry.value);
    }
  });
  const std::uint64_t first = communicator.exclusive_sum(count), all = communicator.sum(count);
  if (all != header.entries) {
    throw InputError(text.path() + ": expected " + std::to_string(header.entries) +
                     " entries, as its sizes say, found " + std::to_string(all));
  }
  comm::agree(communicator, [&] { place_by_columns(header, first, by_columns, entries); });
  return entries;
}

/// Collective.
SparseData read_matrix(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                       const ValueRequest& values, bool graph) {
  const Head head = agreed_head(communicator, text, {values.stored, options.any_columns && !graph});
  if (values.stored && head.header.field == MatrixMarketHeader::Field::pattern) {
    throw InputError(text.path() + ": expected entries with values, found a pattern");
  }
  const MatrixMarketHeader& header = head.header;
  const std::uint64_t mirrored = header.symmetry == Symmetry::general ? 1 : 2;
  require_within_limit(communicator, text.path(),
                       {header.rows, header.columns, comm::bytes_of(header.entries, mirrored),
                        values.stored ? sizeof(double) : 0, graph && header.rows == header.columns},
                       true);
  SparseData data;
  data.rows = head.header.rows;
  data.columns = head.header.columns;
  data.entries = read_entries(communicator, text, head, values);
  data.graph = graph && data.rows == data.columns;
  if (data.graph) data.ids = numbered_vertices(communicator, data.rows, 1);
  return data;
}

}  // namespace

Likeness recognise_matrix_market(const Beginning& beginning) {
  return lower(beginning.line()).starts_with("%%matrixmarket") ? Likeness::certain : Likeness::none;
}

Content look_at_matrix_market(const Beginning& beginning, const ReadOptions&, std::optional<Kind> asked) {
  const std::string banner = lower(beginning.line());
  const bool values = banner.find(" pattern") == std::string::npos;
  if (asked) return {*asked, values};
  if (banner.find(" array") != std::string::npos) return {Kind::dense, true};
  const std::vector<std::string_view> sizes = words_of(beginning.first_content());
  return {sizes.size() >= 2 && sizes[0] == sizes[1] ? Kind::graph : Kind::samples, values};
}

SparseData read_matrix_market_graph(const comm::Communicator& communicator, const Text& text,
                                    const ReadOptions& options, const ValueRequest& values) {
  return read_matrix(communicator, text, options, values, true);
}

SparseData read_matrix_market_samples(const comm::Communicator& communicator, const Text& text,
                                      const ReadOptions& options, const ValueRequest& values) {
  return read_matrix(communicator, text, options, values, false);
}

DenseData read_matrix_market_array(const comm::Communicator& communicator, const Text& text,
                                   const ReadOptions& options) {
  const NumberRule rule{.finite = !options.allow_non_finite};
  const Head head = agreed_head(communicator, text, {true, false});
  if (!head.header.array) {
    throw InputError(text.path() +
                     ": expected an array, found the coordinates of non-zeros, which are few of its "
                     "elements; it can be read as samples or as a graph");
  }
  return to_dense(communicator, read_entries(communicator, text, head, {true, rule}), head.header.rows,
                  head.header.columns);
}

}  // namespace kasen::io
