#include "partition/metis_partitioner.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "kasen/base/error.h"
#include "partition/metis_kway.h"
#include "partition/tally.h"

namespace kasen::partition {
namespace {

constexpr std::uint64_t kFewElements = 20;  ///< a part; with few more, METIS may run out of elements and print so

void check_size(std::uint64_t vertices, std::uint64_t nonzeros) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
  if (vertices < kMost && nonzeros <= kMost / 2) return;
  throw InputError("METIS counts with " + std::to_string(8 * sizeof(std::int32_t)) +
                   " bits here: " + std::to_string(vertices) + " elements and " + std::to_string(nonzeros) +
                   " non-zeros are too many; use another --partition");
}

/// Each vertex's neighbours are ascending, each is there once. `columns_at`: the vertex of column 0.
MetisGraph build_graph(const Entries& pattern, std::uint64_t vertices, std::uint64_t columns_at) {
  const auto row = [&](std::size_t k) { return static_cast<std::size_t>(pattern.row[k]); };
  const auto column = [&](std::size_t k) { return static_cast<std::size_t>(pattern.column[k]) + columns_at; };
  std::vector<std::size_t> next(vertices + 1);
  for (std::size_t k = 0; k < pattern.row.size(); ++k) {
    if (row(k) == column(k)) continue;
    ++next[row(k) + 1];
    ++next[column(k) + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  const std::vector<std::size_t> first = next;
  MetisGraph graph;
  graph.neighbour.resize(next.back());
  for (std::size_t k = 0; k < pattern.row.size(); ++k) {
    if (row(k) == column(k)) continue;
    graph.neighbour[next[row(k)]++] = static_cast<std::int32_t>(column(k));
    graph.neighbour[next[column(k)]++] = static_cast<std::int32_t>(row(k));
  }
  graph.begin.push_back(0);
  auto end = graph.neighbour.begin();
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto from = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(first[v]);
    const auto to = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(first[v + 1]);
    std::sort(from, to);
    const auto last = std::unique(from, to);
    end = std::copy(from, last, end);
    graph.begin.push_back(static_cast<std::int32_t>(end - graph.neighbour.begin()));
  }
  graph.neighbour.resize(static_cast<std::size_t>(end - graph.neighbour.begin()));
  return graph;
}

std::vector<std::int32_t> degrees(GlobalIndexView indices, std::uint64_t length) {
  std::vector<std::int32_t> degree(length);
  for (const GlobalIndex index : indices) ++degree[static_cast<std::size_t>(index)];
  return degree;
}

/// What METIS's parts of the vertices mean.
Partitioning owned_by(const std::vector<std::int32_t>& part, const Shape& shape, int parts, const EntryRule& rule) {
  const std::vector<Rank> owners(part.begin(), part.end());
  const std::span<const Rank> all(owners);
  const Assignment rows = Assignment::table(all.first(shape.rows), parts);
  return {rows, shape.one_space ? rows : Assignment::table(all.subspan(shape.rows), parts), rule};
}

std::uint64_t replicas(const Tally& tally) { return tally.row_replicas + tally.column_replicas; }

class Metis : public Partitioner {
 public:
  std::string name() const override { return "metis"; }
  bool needs_pattern() const override { return true; }
  Partitioning partition(const Shape& shape, int parts, const Entries& pattern) const override;
};

Partitioning Metis::partition(const Shape& shape, int parts, const Entries& pattern) const {
  const std::uint64_t vertices = shape.elements();
  check_size(vertices, pattern.row.size());
  const std::vector<std::int32_t> of_rows = degrees(pattern.row, shape.rows);
  const std::vector<std::int32_t> of_columns = degrees(pattern.column, shape.columns);
  const auto longest = [](const std::vector<std::int32_t>& degree) {
    return degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
  };
  const bool by_row = longest(of_rows) <= longest(of_columns);
  const EntryRule rule{by_row ? EntryRule::Kind::row : EntryRule::Kind::column, 0};
  if (shape.row_owners != nullptr || shape.column_owners != nullptr)
    return hash_partitioner(name(), rule)->partition(shape, parts, pattern);
  if (parts == 1 || vertices <= kFewElements * static_cast<std::uint64_t>(parts)) {
    Partitioning blocks = block_partitioner()->partition(shape, parts, pattern);
    blocks.rule = rule;
    return blocks;
  }

  const std::uint64_t columns_at = shape.first_column();
  std::vector<std::int32_t> weights(2 * vertices, 1), sizes(vertices, 1);
  if (!shape.one_space) {
    for (std::uint64_t v = 0; v < vertices; ++v) sizes[v] = (v < shape.rows) != by_row;
  }
  for (std::uint64_t v = 0; v < vertices; ++v) weights[2 * v] = 0;
  const std::vector<std::int32_t>& loads = by_row ? of_rows : of_columns;
  for (std::uint64_t k = 0; k < loads.size(); ++k) weights[2 * (k + (by_row ? 0 : columns_at))] = loads[k];
  MetisGraph graph = build_graph(pattern, vertices, columns_at);
  graph.constraints = 2;
  graph.loads = std::move(weights);
  graph.sizes = std::move(sizes);
  const Partitioning least_volume = owned_by(metis_kway(graph, parts), shape, parts, rule);
  graph.sizes.clear();  // the least cut
  const Partitioning least_cut = owned_by(metis_kway(std::move(graph), parts), shape, parts, rule);
  const auto counted =
      tally(nullptr, pattern,
            {{least_volume.rows, least_volume.columns, {rule}}, {least_cut.rows, least_cut.columns, {rule}}});
  return replicas(counted[1][0]) < replicas(counted[0][0]) ? least_cut : least_volume;
}

}  // namespace

std::unique_ptr<Partitioner> metis_partitioner() { return std::make_unique<Metis>(); }

}  // namespace kasen::partition
