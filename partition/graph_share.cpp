#include "partition/graph_share.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "partition/range_cut.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {
namespace {

/// A non-zero as one of its ends sees it.
struct Half {
  std::uint32_t from, to;
};

/// The other ends of all vertices of a run, which may be there several times.
struct Ends {
  std::vector<std::uint64_t> begin;  ///< of each vertex; one more
  std::vector<std::uint32_t> to;
  std::span<const std::uint32_t> of(std::size_t v) const {
    return std::span(to).subspan(begin[v], begin[v + 1] - begin[v]);
  }
};

/// Collective. Sends halves to the workers of their vertices, and sorts them by vertex.
Ends gather_ends(const Team& team, const GraphShare& share, std::vector<Half> halves) {
  halves = team.deliver(std::move(halves), [&](const Half& half) { return share.runs.owner(half.from); });
  Ends ends{std::vector<std::uint64_t>(share.vertices() + 1), std::vector<std::uint32_t>(halves.size())};
  for (const Half& half : halves) ++ends.begin[half.from - share.first + 1];
  std::partial_sum(ends.begin.begin(), ends.begin.end(), ends.begin.begin());
  std::vector<std::uint64_t> next = ends.begin;
  for (const Half& half : halves) ends.to[next[half.from - share.first]++] = half.to;
  return ends;
}

/// Runs of vertices that have about as many ends each.
Assignment equal_runs(const Team& team, const std::vector<Half>& halves, std::uint64_t vertices) {
  if (team.alone()) return Assignment::block(vertices, 1);
  Lengths lengths = lengths_of(nullptr, {}, vertices);
  for (const Half& half : halves) {
    ++lengths.nonzeros[half.from / lengths.width];
    ++lengths.nonzeros[half.to / lengths.width];
  }
  team.sum(std::span<std::uint64_t>(lengths.nonzeros));
  Shape shape{vertices, vertices, true};
  shape.row_lengths = shape.column_lengths = &lengths;
  return range_partitioner("runs", {})->partition(shape, team.size(), {}).rows;
}

void take_run(const Team& team, GraphShare& share) {
  share.first = static_cast<std::uint64_t>(share.runs.block_begin(team.rank()));
  share.loads.assign(static_cast<std::uint64_t>(share.runs.block_begin(team.rank() + 1)) - share.first, 0);
}

/// Collective. Finds remotes among other ends, and makes local indices of all.
void localise(const Team& team, GraphShare& share, std::span<const std::span<std::uint32_t>> ends) {
  if (team.alone()) return;  // local and global indices are the same
  const auto mine = [&](std::uint32_t v) { return v - share.first < share.vertices(); };
  std::vector<GlobalIndex> others;
  for (const auto& some : ends)
    for (const std::uint32_t v : some)
      if (!mine(v)) others.push_back(v);
  share.remotes = distinct(others, share.global_vertices());
  std::vector<LocalIndex> numbers(share.remotes.size());
  std::iota(numbers.begin(), numbers.end(), static_cast<LocalIndex>(share.vertices()));
  const LocalNumbers local(share.remotes, std::move(numbers));
  for (const auto& some : ends)
    for (std::uint32_t& v : some) v = mine(v) ? static_cast<std::uint32_t>(v - share.first) : local[v];

  std::vector<std::uint64_t> offsets(static_cast<std::size_t>(team.size()) + 1);
  for (const GlobalIndex remote : share.remotes) ++offsets[static_cast<std::size_t>(share.runs.owner(remote)) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  const comm::Received<GlobalIndex> asked = team.all_to_all(std::span<const GlobalIndex>(share.remotes), offsets);
  share.sent_offsets = asked.offsets;
  for (const GlobalIndex v : asked.values)
    share.sent.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(v) - share.first));
}

std::uint64_t longest(const Team& team, const Ends& ends) {
  std::uint64_t most = 0;
  for (std::size_t v = 0; v + 1 < ends.begin.size(); ++v) most = std::max(most, ends.begin[v + 1] - ends.begin[v]);
  return team.max(most);
}

/// Makes edges of what a vertex has in its row and in its column, vertex by vertex.
void join(GraphShare& share, const Ends& of_rows, const Ends& of_columns, bool by_row) {
  constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> place(share.local_size(), kNowhere);  // of the edge to each other end
  share.edges.reserve(of_rows.to.size() + of_columns.to.size());
  share.begin.assign(1, 0);
  for (std::size_t v = 0; v < share.vertices(); ++v) {
    const std::uint64_t from_row = share.edges.size();
    const auto add = [&](std::span<const std::uint32_t> ends, bool replicates, std::uint64_t since) {
      for (const std::uint32_t to : ends) {
        if (to == v || (place[to] != kNowhere && place[to] >= since)) continue;
        if (place[to] == kNowhere || place[to] < from_row) {
          place[to] = share.edges.size();
          share.edges.push_back({to, 1, replicates});
        } else {
          GraphShare::Edge& edge = share.edges[place[to]];
          if (edge.weight == 1 && edge.replicates != replicates) edge = {to, 2, 1};
        }
      }
    };
    add(of_rows.of(v), !by_row, from_row);
    add(of_columns.of(v), by_row, share.edges.size());
    share.begin.push_back(share.edges.size());
  }
}

}  // namespace

MatrixGraph graph_of(const Team& team, const Entries& entries, const Shape& shape) {
  MatrixGraph graph;
  GraphShare& share = graph.share;
  std::vector<Half> halves(entries.row.size());
  for (std::size_t k = 0; k < halves.size(); ++k)
    halves[k] = {static_cast<std::uint32_t>(entries.row[k]),
                 static_cast<std::uint32_t>(static_cast<std::uint64_t>(entries.column[k]) + shape.first_column())};
  share.runs = equal_runs(team, halves, shape.elements());
  take_run(team, share);
  std::vector<Half> turned(halves.size());
  for (std::size_t k = 0; k < halves.size(); ++k) turned[k] = {halves[k].to, halves[k].from};
  Ends of_rows = gather_ends(team, share, std::move(halves));
  Ends of_columns = gather_ends(team, share, std::move(turned));
  const std::uint64_t longest_row = longest(team, of_rows), longest_column = longest(team, of_columns);
  graph.by_row = longest_row <= longest_column;
  const Ends& placed = graph.by_row ? of_rows : of_columns;
  for (std::size_t v = 0; v < share.vertices(); ++v)
    share.loads[v] = kElementLoad + placed.begin[v + 1] - placed.begin[v];
  const std::span<std::uint32_t> all[] = {of_rows.to, of_columns.to};
  localise(team, share, all);
  join(share, of_rows, of_columns, graph.by_row);
  return graph;
}

GraphShare graph_of(const Team& team, Assignment runs, std::vector<std::uint64_t> loads,
                    std::vector<GlobalEdge> edges) {
  GraphShare share;
  share.runs = std::move(runs);
  take_run(team, share);
  share.loads = std::move(loads);
  std::sort(edges.begin(), edges.end(),
            [](const GlobalEdge& a, const GlobalEdge& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
  share.begin.assign(share.vertices() + 1, 0);
  std::vector<std::uint32_t> to;
  for (std::size_t k = 0; k < edges.size();) {
    std::uint64_t weight = 0;
    const GlobalEdge edge = edges[k];
    for (; k < edges.size() && edges[k].from == edge.from && edges[k].to == edge.to; ++k) weight += edges[k].weight;
    to.push_back(edge.to);
    share.edges.push_back({0, static_cast<std::uint32_t>(std::min<std::uint64_t>(weight, GraphShare::kMostWeight)), 1});
    ++share.begin[edge.from - share.first + 1];
  }
  std::partial_sum(share.begin.begin(), share.begin.end(), share.begin.begin());
  const std::span<std::uint32_t> all[] = {to};
  localise(team, share, all);
  for (std::size_t k = 0; k < to.size(); ++k) share.edges[k].to = to[k];
  return share;
}

}  // namespace kasen::partition
