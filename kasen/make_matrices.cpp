#include "kasen/make_matrices.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "comm/communicator.h"
#include "kasen/base/hash.h"
#include "kasen/session.h"
#include "kasen/session/engine.h"
#include "kasen/workers.h"

namespace kasen::detail {

Matrix<Pattern> one_hot(Space rows, std::span<const std::int64_t> keys, Space columns, SourceLocation where) {
  const GlobalIndex first = block_of(rows).first;
  Entries entries;
  std::uint64_t wrong = rows.length();  // the first row whose key is no column
  workers::agree([&] {
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (keys[k] < 0) continue;
      const GlobalIndex row = first + static_cast<GlobalIndex>(k);
      if (static_cast<std::uint64_t>(keys[k]) >= columns.length())
        wrong = std::min(wrong, static_cast<std::uint64_t>(row));
      entries.row.push_back(row);
      entries.column.push_back(keys[k]);
    }
  });
  wrong = workers::communicator().min(wrong);
  if (wrong < rows.length()) {
    recording::refuse(
        recording::source_line(where), "one_hot",
        "the key of element " + std::to_string(wrong) + " is no column: there are " + std::to_string(columns.length()));
  }
  return kasen::make_matrix(rows, columns, std::move(entries), EqualEntries::refused, where);
}

Grid::Grid(Space cells, std::vector<std::uint64_t> extents, std::vector<std::vector<std::int64_t>> offsets, Edge edge,
           std::uint64_t weights, SourceLocation where)
    : _extents(extents.begin(), extents.end()), _offsets(std::move(offsets)), _edge(edge) {
  const SourceLine line = recording::source_line(where);
  recording::require_session(cells.session(), "stencil", line);
  Fnv1a given;
  given.add(weights), given.add(static_cast<std::uint64_t>(edge)), given.add(cells.length());
  for (const std::uint64_t extent : extents) given.add(extent);
  for (const auto& offset : _offsets) given.add(hash_of_list(std::span<const std::int64_t>(offset)));
  begin_between_plans("stencil", given.value(), where);
  if (extents.empty()) recording::refuse(line, "stencil", "a grid has one dimension at least");
  std::uint64_t product = 1;
  for (const std::uint64_t extent : extents) {
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    product = extent != 0 && product > kMost / extent ? kMost : product * extent;
  }
  if (product != cells.length()) {
    std::string all;
    for (const std::uint64_t extent : extents) all += (all.empty() ? "" : " x ") + std::to_string(extent);
    recording::refuse(line, "stencil", "a grid of " + all + " cells is none of " + std::to_string(cells.length()));
  }
  for (const auto& offset : _offsets) {
    if (offset.size() == extents.size()) continue;
    recording::refuse(line, "stencil",
                      "an offset of " + std::to_string(offset.size()) + " numbers in a grid of " +
                          std::to_string(extents.size()) + " dimensions");
  }
  Session::current(where).engine().placement().assign(cells.id());
}

GlobalIndex Grid::neighbour(GlobalIndex cell, std::size_t k) const {
  GlobalIndex other = 0, stride = 1;
  for (std::size_t d = _extents.size(); d-- > 0;) {
    std::int64_t at = cell % _extents[d] + _offsets[k][d] % _extents[d];
    const bool wraps = _offsets[k][d] >= _extents[d] || _offsets[k][d] <= -_extents[d] || at < 0 || at >= _extents[d];
    if (wraps && _edge == Edge::open) return -1;
    at = (at + _extents[d]) % _extents[d];
    other += at * stride;
    stride *= _extents[d];
    cell /= _extents[d];
  }
  return other;
}

}  // namespace kasen::detail

namespace kasen {

Matrix<double> stencil(Space cells, const std::vector<std::uint64_t>& extents,
                       const std::vector<Neighbour<double>>& neighbours, Edge edge, SourceLocation where) {
  return stencil<double>(cells, extents, neighbours, edge, where);
}

}  // namespace kasen
