#include "partition/metis_partitioner.h"

#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::partition {
namespace {

constexpr idx_t kSeed = 1;
constexpr real_t kMostImbalance = real_t(1.05);
constexpr std::uint64_t kFewElements = 20;  ///< a part; with few more, METIS may run out of elements and print so

/// A graph in compressed form, with each vertex's neighbours ascending, each once.
struct Graph {
  std::vector<idx_t> begin, neighbour;
};

void check_size(std::uint64_t vertices, std::uint64_t nonzeros) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<idx_t>::max());
  if (vertices < kMost && nonzeros <= kMost / 2) return;
  throw InputError("METIS counts with " + std::to_string(8 * sizeof(idx_t)) +
                   " bits here: " + std::to_string(vertices) + " elements and " + std::to_string(nonzeros) +
                   " non-zeros are too many; use another --partition");
}

/// `columns_at`: the vertex of column 0.
Graph build_graph(const Entries& pattern, std::uint64_t vertices, std::uint64_t columns_at) {
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
  Graph graph;
  graph.neighbour.resize(next.back());
  for (std::size_t k = 0; k < pattern.row.size(); ++k) {
    if (row(k) == column(k)) continue;
    graph.neighbour[next[row(k)]++] = static_cast<idx_t>(column(k));
    graph.neighbour[next[column(k)]++] = static_cast<idx_t>(row(k));
  }
  graph.begin.push_back(0);
  auto end = graph.neighbour.begin();
  for (std::size_t v = 0; v < vertices; ++v) {
    const auto from = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(first[v]);
    const auto to = graph.neighbour.begin() + static_cast<std::ptrdiff_t>(first[v + 1]);
    std::sort(from, to);
    const auto last = std::unique(from, to);
    end = std::copy(from, last, end);
    graph.begin.push_back(static_cast<idx_t>(end - graph.neighbour.begin()));
  }
  graph.neighbour.resize(static_cast<std::size_t>(end - graph.neighbour.begin()));
  return graph;
}

std::vector<idx_t> degrees(std::span<const GlobalIndex> indices, std::uint64_t length) {
  std::vector<idx_t> degree(length);
  for (const GlobalIndex index : indices) ++degree[static_cast<std::size_t>(index)];
  return degree;
}

/// @param weights two for each vertex: non-zeros and elements. @param sizes what a copy of each vertex counts.
std::vector<idx_t> split(Graph graph, std::vector<idx_t> weights, std::vector<idx_t> sizes, int parts) {
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_OBJTYPE] = METIS_OBJTYPE_VOL;
  options[METIS_OPTION_SEED] = kSeed;
  options[METIS_OPTION_NUMBERING] = 0;
  auto vertices = static_cast<idx_t>(sizes.size());
  idx_t constraints = 2, number = parts, volume = 0;
  real_t imbalance[2] = {kMostImbalance, kMostImbalance};
  std::vector<idx_t> part(sizes.size());
  graph.neighbour.push_back(0);  // METIS wants an array even where there are no edges
  const int status =
      METIS_PartGraphKway(&vertices, &constraints, graph.begin.data(), graph.neighbour.data(), weights.data(),
                          sizes.data(), nullptr, &number, nullptr, imbalance, options, &volume, part.data());
  if (status == METIS_OK) return part;
  throw Error(status == METIS_ERROR_MEMORY ? "METIS: not enough memory to partition the matrix"
                                           : "METIS: failed to partition the matrix");
}

class Metis : public Partitioner {
 public:
  std::string name() const override { return "metis"; }
  bool needs_pattern() const override { return true; }
  Partitioning partition(const Shape& shape, int parts, const Entries& pattern) const override;
};

Partitioning Metis::partition(const Shape& shape, int parts, const Entries& pattern) const {
  const std::uint64_t vertices = shape.one_space ? shape.rows : shape.rows + shape.columns;
  check_size(vertices, pattern.row.size());
  const std::vector<idx_t> of_rows = degrees(pattern.row, shape.rows);
  const std::vector<idx_t> of_columns = degrees(pattern.column, shape.columns);
  const auto longest = [](const std::vector<idx_t>& degree) {
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

  const std::uint64_t columns_at = shape.one_space ? 0 : shape.rows;
  std::vector<idx_t> weights(2 * vertices, 1), sizes(vertices, 1);
  if (!shape.one_space) {
    for (std::uint64_t v = 0; v < vertices; ++v) sizes[v] = (v < shape.rows) != by_row;
  }
  for (std::uint64_t v = 0; v < vertices; ++v) weights[2 * v] = 0;
  const std::vector<idx_t>& loads = by_row ? of_rows : of_columns;
  for (std::uint64_t k = 0; k < loads.size(); ++k) weights[2 * (k + (by_row ? 0 : columns_at))] = loads[k];
  const std::vector<idx_t> part =
      split(build_graph(pattern, vertices, columns_at), std::move(weights), std::move(sizes), parts);

  const std::vector<Rank> owners(part.begin(), part.end());
  const std::span<const Rank> all(owners);
  const Assignment rows = Assignment::table(all.first(shape.rows), parts);
  return {rows, shape.one_space ? rows : Assignment::table(all.subspan(columns_at), parts), rule};
}

}  // namespace

std::unique_ptr<Partitioner> metis_partitioner() { return std::make_unique<Metis>(); }

}  // namespace kasen::partition
