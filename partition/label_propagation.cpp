#include "partition/label_propagation.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kasen/base/error.h"
#include "partition/clusters.h"
#include "partition/graph_share.h"
#include "partition/imbalance.h"
#include "partition/label_weights.h"
#include "partition/metis_kway.h"
#include "partition/refine_parts.h"
#include "partition/team.h"

namespace kasen::partition {
namespace {

constexpr std::uint64_t kClustersOfPart = 20;  ///< at least; larger ones could not be balanced
/// A graph of so many vertices, and so many a part, is left to METIS.
constexpr std::uint64_t kCoarse = 2000, kCoarseOfPart = 30;
constexpr std::uint64_t kFewVertices = 20;  ///< a part; METIS may run out of fewer, and print so
constexpr double kShrinks = 0.95;           ///< a coarser graph with more of the vertices is no help

/// Numbers as METIS counts them, of which no sum overflows: all are halved as often as that takes.
class Scale {
 public:
  explicit Scale(std::uint64_t sum) {
    while (sum >> _shift > std::numeric_limits<std::int32_t>::max() / 2) ++_shift;
  }
  std::int32_t operator()(std::uint64_t value) const {
    return static_cast<std::int32_t>(std::max<std::uint64_t>(value >> _shift, 1));
  }

 private:
  int _shift = 0;
};

/// Local. @param edges of all vertices, in any order
std::vector<std::int32_t> parts_by_metis(std::vector<GlobalEdge> edges, const std::vector<std::uint64_t>& loads,
                                         int parts) {
  std::sort(edges.begin(), edges.end(),
            [](const GlobalEdge& a, const GlobalEdge& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  std::uint64_t all_weights = 0, all_loads = 0;
  for (const GlobalEdge& edge : edges) all_weights += edge.weight;
  for (const std::uint64_t load : loads) all_loads += load;
  const Scale scaled_weight(all_weights), scaled_load(all_loads);
  MetisGraph graph;
  graph.begin.assign(loads.size() + 1, 0);
  for (const GlobalEdge& edge : edges) {
    ++graph.begin[edge.from + 1];
    graph.neighbour.push_back(static_cast<std::int32_t>(edge.to));
    graph.edge_weights.push_back(scaled_weight(edge.weight));
  }
  for (std::size_t v = 0; v < loads.size(); ++v) {
    graph.begin[v + 1] += graph.begin[v];
    graph.loads.push_back(scaled_load(loads[v]));
  }
  return metis_kway(std::move(graph), parts);
}

/// The partitioner while it runs, on one matrix.
class Multilevel {
 public:
  Multilevel(const Team& team, int parts, std::uint64_t all_loads)
      : _team(&team),
        _parts(static_cast<std::uint64_t>(parts)),
        _most(static_cast<std::uint64_t>(kMostOfShare * static_cast<double>(all_loads) / parts)) {}

  /// Collective. @param finest whether weights of edges are those of non-zeros
  Parts partition(const GraphShare& graph, bool finest) const {
    Parts parts;
    bool coarsest = graph.global_vertices() <= kCoarse + kCoarseOfPart * _parts;
    if (!coarsest) {
      const CoarseGraph coarse = contract(*_team, graph, find_clusters(*_team, graph, _most / kClustersOfPart), finest);
      coarsest =
          static_cast<double>(coarse.share.global_vertices()) > kShrinks * static_cast<double>(graph.global_vertices());
      if (!coarsest) parts = project(graph, coarse, partition(coarse.share, false));
    }
    if (coarsest) parts = begin(graph);
    fill_up(*_team, graph, parts);
    graph.update_remotes(*_team, parts.of);
    refine(*_team, graph, _most, parts);
    return parts;
  }

 private:
  /// Collective. The parts of a graph that is not made coarser: by METIS, or none where that cannot take it.
  Parts begin(const GraphShare& graph) const {
    Parts parts{std::vector<std::uint32_t>(graph.local_size(), kNoLabel), std::vector<std::uint64_t>(_parts)};
    if (graph.global_vertices() < kFewVertices * _parts) return parts;
    constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();  // that METIS can count
    if (graph.global_vertices() > kMost || _team->sum(graph.edges.size()) > kMost) return parts;
    std::vector<GlobalEdge> edges;
    edges.reserve(graph.edges.size());
    for (std::size_t v = 0; v < graph.vertices(); ++v)
      for (const GraphShare::Edge& edge : graph.edges_of(v))
        edges.push_back({static_cast<std::uint32_t>(graph.global(v)), static_cast<std::uint32_t>(graph.global(edge.to)),
                         edge.weight});
    const auto to_first = [](const auto&) { return 0; };
    edges = _team->deliver(std::move(edges), to_first);
    const std::vector<std::uint64_t> loads = _team->deliver(std::vector<std::uint64_t>(graph.loads), to_first);
    std::vector<std::int32_t> found(graph.global_vertices());
    _team->agree([&] {
      if (_team->rank() == 0) found = parts_by_metis(std::move(edges), loads, static_cast<int>(_parts));
    });
    _team->broadcast(std::span<std::int32_t>(found));
    for (std::size_t v = 0; v < graph.vertices(); ++v) {
      parts.of[v] = static_cast<std::uint32_t>(found[graph.first + v]);
      parts.loads[parts.of[v]] += graph.loads[v];
    }
    _team->sum(std::span<std::uint64_t>(parts.loads));
    return parts;
  }

  /// Collective. Gives vertices the parts of their clusters.
  Parts project(const GraphShare& graph, const CoarseGraph& coarse, const Parts& found) const {
    Parts parts{std::vector<std::uint32_t>(graph.local_size(), kNoLabel), found.loads};
    const std::vector<std::uint32_t> answers = _team->ask<std::uint32_t>(
        std::span<const std::uint32_t>(coarse.vertex).first(graph.vertices()),
        [&](std::uint32_t v) { return v == kNoLabel ? _team->rank() : coarse.share.runs.owner(v); },
        [&](std::span<const std::uint32_t> asked) {
          std::vector<std::uint32_t> of(asked.size(), kNoLabel);
          for (std::size_t k = 0; k < of.size(); ++k)
            if (asked[k] != kNoLabel) of[k] = found.of[asked[k] - coarse.share.first];
          return of;
        });
    std::copy(answers.begin(), answers.end(), parts.of.begin());
    return parts;
  }

  const Team* _team;
  std::uint64_t _parts, _most;
};

/// Collective. A table of the parts of all elements.
Partitioning tables(const Team& team, const Shape& shape, int parts, std::span<const std::uint32_t> mine,
                    const EntryRule& rule) {
  const std::size_t width = Assignment::table_width(parts);
  std::vector<std::byte> packed(mine.size() * width);
  // The low bytes of a number come first, as in Assignment::table().
  for (std::size_t v = 0; v < mine.size(); ++v) std::memcpy(&packed[v * width], &mine[v], width);
  std::vector<std::byte> rows = team.all_gather(std::span<const std::byte>(packed));
  Partitioning made;
  made.rule = rule;
  if (!shape.one_space) {
    const auto columns = rows.begin() + static_cast<std::ptrdiff_t>(shape.rows * width);
    made.columns = Assignment::table(shape.columns, parts, {columns, rows.end()});
    rows.erase(columns, rows.end());
  }
  made.rows = Assignment::table(shape.rows, parts, std::move(rows));
  if (shape.one_space) made.columns = made.rows;
  return made;
}

class LabelPropagation : public Partitioner {
 public:
  std::string name() const override { return "label-propagation"; }
  bool on_all_workers() const override { return true; }
  Partitioning partition(const Shape& shape, int parts, const Entries& pattern) const override {
    return partition_together(nullptr, shape, parts, pattern);
  }
  Partitioning partition_together(const comm::Communicator* communicator, const Shape& shape, int parts,
                                  const Entries& share) const override {
    const std::uint64_t vertices = shape.elements();
    if (std::max({vertices, shape.rows, shape.columns}) >= kMostPropagated)
      throw InputError("label propagation counts with 31 bits: " + std::to_string(vertices) +
                       " elements are too many; use another --partition");
    if (parts == 1) return block_partitioner()->partition(shape, parts, {});
    const Team team(communicator);
    const MatrixGraph graph = graph_of(team, share, shape);
    const EntryRule rule{graph.by_row ? EntryRule::Kind::row : EntryRule::Kind::column, 0};
    if (shape.row_owners != nullptr || shape.column_owners != nullptr)
      return hash_partitioner(name(), rule)->partition(shape, parts, {});
    std::uint64_t loads = 0;
    for (const std::uint64_t load : graph.share.loads) loads += load;
    const Parts found = Multilevel(team, parts, team.sum(loads)).partition(graph.share, true);
    return tables(team, shape, parts, std::span(found.of).first(graph.share.vertices()), rule);
  }
};

}  // namespace

std::unique_ptr<Partitioner> label_propagation_partitioner() { return std::make_unique<LabelPropagation>(); }

}  // namespace kasen::partition
