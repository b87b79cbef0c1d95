/// @file
/// Computation of the described figures from counts that are summed over workers.
#include "apps/convert/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "kasen/base/partition_candidate.h"
#include "kasen/base/printable.h"
#include "kasen/io/data/row_block.h"
#include "partition/choose.h"

namespace apps::convert {

namespace {

using kasen::GlobalIndex;
using kasen::comm::Communicator;
using kasen::io::RowBlock;
using kasen::io::SparseData;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string line(const char* name, const std::string& text) { return fmt::format("{:<14}{}\n", name, text); }

/// Least, mean and largest of numbers that the workers see; what is no number is counted apart.
struct Range {
  double least = kInfinity, most = -kInfinity, sum = 0;
  std::uint64_t count = 0, nan = 0;

  void add(double number) {
    if (std::isnan(number)) {
      ++nan;
      return;
    }
    least = std::min(least, number);
    most = std::max(most, number);
    sum += number;
    ++count;
  }
  std::string text(const Communicator& communicator) const {
    const double low = communicator.min(least), high = communicator.max(most), total = communicator.sum(sum);
    const std::uint64_t all = communicator.sum(count), none = communicator.sum(nan);
    std::string result =
        all == 0 ? "none" : fmt::format("{:.6g} to {:.6g}, mean {:.6g}", low, high, total / static_cast<double>(all));
    if (none > 0) result += fmt::format(", {} nan", none);
    return result;
  }
};

std::string degrees(const Communicator& communicator, const RowBlock& block, std::uint64_t length,
                    std::uint64_t entries) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max(), most = 0, zero = 0;
  for (std::uint64_t r = 0; r < block.rows(); ++r) {
    const std::uint64_t degree = block.begin[r + 1] - block.begin[r];
    least = std::min(least, degree);
    most = std::max(most, degree);
    zero += degree == 0 ? 1 : 0;
  }
  least = communicator.min(least);
  most = communicator.max(most);
  zero = communicator.sum(zero);
  if (length == 0) return "none";
  return fmt::format("{} to {}, mean {:.6g}; {} of {} without", least, most,
                     static_cast<double>(entries) / static_cast<double>(length), zero, length);
}

/// Whether two matrices have the same entries in this worker's rows.
bool same_rows(const RowBlock& a, const RowBlock& b) {
  if (a.begin != b.begin || a.column != b.column) return false;
  if (a.value == b.value) return true;
  // Equal places may come in another order.
  for (std::uint64_t r = 0; r < a.rows(); ++r) {
    std::vector<std::pair<GlobalIndex, double>> left, right;
    for (std::uint64_t k = a.begin[r]; k < a.begin[r + 1]; ++k) {
      left.emplace_back(a.column[k], a.value[k]);
      right.emplace_back(b.column[k], b.value[k]);
    }
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    if (left != right) return false;
  }
  return true;
}

std::string labels(const Communicator& communicator, const std::vector<double>& mine) {
  constexpr std::size_t kClasses = 1000, kPrinted = 20;
  struct Class {
    double label;
    std::uint64_t count;
  };
  std::map<double, std::uint64_t> here;
  Range range;
  for (const double label : mine) {
    range.add(label);
    if (here.size() <= kClasses && !std::isnan(label)) ++here[label];
  }
  const bool many = communicator.max(here.size() > kClasses ? 1 : 0) == 1;
  std::string numbers = range.text(communicator);
  if (many) return numbers;
  std::vector<Class> list;
  for (const auto& [label, count] : here) list.push_back({label, count});
  std::map<double, std::uint64_t> all;
  for (const Class& c : communicator.all_gather(std::span<const Class>(list)).values) all[c.label] += c.count;
  if (all.size() > kPrinted) return fmt::format("{} different, {}", all.size(), numbers);
  std::string text;
  for (const auto& [label, count] : all) text += fmt::format("{}{:g}: {}", text.empty() ? "" : ", ", label, count);
  return fmt::format("{} classes: {}", all.size(), text);
}

std::string partitions(const Communicator& communicator, const SparseData& data, int workers) {
  kasen::partition::Shape shape;
  shape.rows = data.rows;
  shape.columns = data.columns;
  shape.one_space = data.graph;
  shape.column_salt = 1;
  const auto choice = kasen::partition::choose_partitioning(&communicator, data.entries, shape, workers);
  return fmt::format("over {} workers:\n{}", workers, kasen::candidates_text(choice.candidates));
}

}  // namespace

std::string describe(const Communicator& communicator, const SparseData& data, int workers) {
  const std::uint64_t entries = communicator.sum<std::uint64_t>(data.entries.row.size());
  const double places = static_cast<double>(data.rows) * static_cast<double>(data.columns);
  std::string text;
  text += line(data.graph ? "vertices" : "rows", fmt::format("{}", data.rows));
  if (!data.graph) text += line("columns", fmt::format("{}", data.columns));
  text += line(data.graph ? "edges" : "non-zeros",
               fmt::format("{}, density {:.3g}", entries, places > 0 ? static_cast<double>(entries) / places : 0));

  Range values;
  std::uint64_t loops = 0;
  for (std::size_t k = 0; k < data.entries.row.size(); ++k) {
    loops += data.entries.row[k] == data.entries.column[k] ? 1 : 0;
    if (data.entries.value_bytes == 0) continue;
    double value = 0;
    std::memcpy(&value, &data.entries.value[k * sizeof value], sizeof value);
    values.add(value);
  }
  const std::string range = values.text(communicator);
  text += line("values", data.entries.value_bytes > 0 ? range : "none: a pattern");

  const RowBlock by_row = kasen::io::to_row_block(communicator, data.entries, data.rows, data.columns);
  kasen::Entries turned = data.entries;
  std::swap(turned.row, turned.column);
  const RowBlock by_column = kasen::io::to_row_block(communicator, std::move(turned), data.columns, data.rows);
  text += line(data.graph ? "out-degrees" : "per row", degrees(communicator, by_row, data.rows, entries));
  text += line(data.graph ? "in-degrees" : "per column", degrees(communicator, by_column, data.columns, entries));
  std::uint64_t repeated = 0;
  for (std::uint64_t r = 0; r < by_row.rows(); ++r) {
    for (std::uint64_t k = by_row.begin[r] + 1; k < by_row.begin[r + 1]; ++k) {
      repeated += by_row.column[k] == by_row.column[k - 1] ? 1 : 0;
    }
  }
  text += line("duplicates", fmt::format("{}", communicator.sum(repeated)));
  if (data.rows == data.columns) {
    text += line(data.graph ? "self-loops" : "diagonal", fmt::format("{}", communicator.sum(loops)));
    text += line("symmetric", communicator.min(same_rows(by_row, by_column) ? 1 : 0) == 1 ? "yes" : "no");
  }
  if (data.graph) {
    text += line("vertex ids", data.ids.length() == 0 ? "none" : data.ids.words() ? "words" : "integers");
  } else {
    text += line("labels", data.labelled ? labels(communicator, data.labels) : "none");
  }
  if (data.entries.prepared) text += line("prepared for", fmt::format("{} workers", communicator.size()));
  if (workers > 1) text += partitions(communicator, data, workers);
  return text;
}

std::string describe(const Communicator& communicator, const kasen::io::DenseData& data) {
  constexpr std::uint64_t kPrinted = 30;
  std::string text = line("rows", fmt::format("{}", data.rows)) + line("columns", fmt::format("{}", data.columns));
  const std::uint64_t rows = data.columns == 0 ? 0 : data.values.size() / data.columns;
  for (std::uint64_t c = 0; c < std::min(data.columns, kPrinted); ++c) {
    Range range;
    for (std::uint64_t r = 0; r < rows; ++r) range.add(data.values[r * data.columns + c]);
    const std::string name = data.names.empty() ? fmt::format("column {}", c + 1) : kasen::printable(data.names[c]);
    text += fmt::format("{:<13} {}\n", name, range.text(communicator));
  }
  return text + (data.columns > kPrinted ? "...\n" : "");
}

}  // namespace apps::convert
