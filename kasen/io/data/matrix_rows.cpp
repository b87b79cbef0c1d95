#include "kasen/io/data/matrix_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "kasen/base/error.h"
#include "partition/assignment.h"
#include "partition/distribute.h"

namespace kasen::io {

namespace {

/// What is wrong with a value, after "expected"; empty if nothing.
std::string expected_instead(double value, const NumberRule& rule) {
  if (rule.finite && !std::isfinite(value)) return "finite numbers";
  if (rule.integral && std::floor(value) != value) return "whole numbers";
  return rule.in_range(value) ? "" : "numbers that fit the type of the elements";
}

}  // namespace

Entries no_entries(const ValueRequest& values) {
  Entries entries;
  entries.value_bytes = values.stored ? sizeof(double) : 0;
  return entries;
}

void check_value(const std::string& path, double value, std::uint64_t row, std::uint64_t column,
                 const NumberRule& rule) {
  const std::string expected = expected_instead(value, rule);
  if (expected.empty()) return;
  throw InputError(path + ": expected " + expected + ", found " + std::to_string(value) + " in row " +
                   std::to_string(row) + ", column " + std::to_string(column) + " (from 0)");
}

DenseData to_dense(const comm::Communicator& communicator, Entries elements, std::uint64_t rows,
                   std::uint64_t columns) {
  DenseData dense;
  dense.rows = rows;
  dense.columns = columns;
  const auto blocks = partition::Assignment::block(rows, communicator.size());
  std::vector<Rank> destination;
  destination.reserve(elements.row.size());
  for (const GlobalIndex row : elements.row) destination.push_back(blocks.owner(row));
  elements = partition::distribute(communicator, std::move(elements), destination);
  const GlobalIndex first = blocks.block_begin(communicator.rank());
  dense.values.resize(static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1) - first) * columns);
  for (std::size_t k = 0; k < elements.row.size(); ++k) {
    const std::uint64_t at =
        static_cast<std::uint64_t>(elements.row[k] - first) * columns + static_cast<std::uint64_t>(elements.column[k]);
    std::memcpy(&dense.values[at], &elements.value[k * sizeof(double)], sizeof(double));
  }
  return dense;
}

VertexIds numbered_vertices(const comm::Communicator& communicator, std::uint64_t vertices, std::int64_t first) {
  const auto blocks = partition::Assignment::block(vertices, communicator.size());
  const Rank rank = communicator.rank();
  const GlobalIndex begin = blocks.block_begin(rank), end = blocks.block_begin(rank + 1);
  return {vertices, first + begin, static_cast<std::uint64_t>(end - begin)};
}

}  // namespace kasen::io
