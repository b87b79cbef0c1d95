#include <cmath>

#include "apps/graphs/verify.h"

namespace apps {

namespace {

using kasen::GlobalIndex;

/// Which vertices have an edge that `is_tree_edge`, over all workers; counts the reached ones but the source that have
/// none.
template <class IsTreeEdge>
std::uint64_t without_tree_edge(const Edges& edges, GlobalIndex source, std::span<const GlobalIndex> parent,
                                bool undirected, IsTreeEdge is_tree_edge) {
  std::vector<std::uint64_t> has(parent.size());
  edges.each(undirected, [&](std::size_t u, std::size_t v, double weight) {
    if (parent[v] == static_cast<GlobalIndex>(u) && is_tree_edge(u, v, weight)) has[v] = 1;
  });
  kasen::workers::sum(std::span<std::uint64_t>(has));
  std::uint64_t without = 0;
  for (std::size_t v = 0; v < parent.size(); ++v)
    without += static_cast<GlobalIndex>(v) != source && parent[v] >= 0 && has[v] == 0;
  return without;
}

/// The number of vertices whose parents never lead to the source.
std::uint64_t not_led_to(GlobalIndex source, std::span<const GlobalIndex> parent) {
  enum class Mark : std::uint8_t { unknown, on_the_way, leads, lost };
  std::vector<Mark> mark(parent.size(), Mark::unknown);
  mark[static_cast<std::size_t>(source)] = Mark::leads;
  std::vector<std::size_t> way;
  std::uint64_t lost = 0;
  for (std::size_t start = 0; start < parent.size(); ++start) {
    if (parent[start] < 0) continue;
    way.clear();
    std::size_t v = start;
    for (; mark[v] == Mark::unknown && parent[v] >= 0; v = static_cast<std::size_t>(parent[v])) {
      mark[v] = Mark::on_the_way;
      way.push_back(v);
    }
    const bool leads = mark[v] == Mark::leads;
    for (const std::size_t passed : way) mark[passed] = leads ? Mark::leads : Mark::lost;
    lost += mark[start] != Mark::leads;
  }
  return lost;
}

}  // namespace

Finding verify_bfs(const Edges& edges, GlobalIndex source, std::span<const std::int32_t> level,
                   std::span<const GlobalIndex> parent, bool undirected) {
  const auto start = static_cast<std::size_t>(source);
  std::uint64_t wrong_source = level[start] != 0 || parent[start] != source;
  std::uint64_t wrong_parents = 0, too_far = 0, reached = 0;
  for (std::size_t v = 0; v < level.size(); ++v) {
    reached += level[v] >= 0;
    if (v == start) continue;
    wrong_parents += (level[v] >= 0) != (parent[v] >= 0);
    if (parent[v] >= 0) wrong_parents += level[static_cast<std::size_t>(parent[v])] != level[v] - 1;
  }
  edges.each(undirected, [&](std::size_t u, std::size_t v, double) {
    too_far += level[u] >= 0 && (level[v] < 0 || level[v] > level[u] + 1);
  });
  std::uint64_t no_edge =
      without_tree_edge(edges, source, parent, undirected, [](std::size_t, std::size_t, double) { return true; });
  if (kasen::workers::rank() != 0) wrong_source = wrong_parents = no_edge = 0;  // all workers count these
  return no_violations(fmt::format("levels and parents of {} vertices", reached),
                       {wrong_source, wrong_parents, no_edge, too_far},
                       {"wrong source", "vertices whose parent is not one level lower",
                        "vertices without an edge from their parent", "edges that span more than one level"});
}

Finding verify_sssp(const Edges& edges, GlobalIndex source, std::span<const double> distance,
                    std::span<const GlobalIndex> parent, bool undirected) {
  const auto start = static_cast<std::size_t>(source);
  std::uint64_t wrong_source = distance[start] != 0 || parent[start] != source;
  std::uint64_t wrong_parents = 0, shortcuts = 0, reached = 0;
  for (std::size_t v = 0; v < distance.size(); ++v) {
    reached += distance[v] < kasen::infinity;
    wrong_parents += std::isnan(distance[v]) || (distance[v] < kasen::infinity) != (parent[v] >= 0);
  }
  edges.each(undirected,
             [&](std::size_t u, std::size_t v, double weight) { shortcuts += !(distance[u] + weight >= distance[v]); });
  std::uint64_t no_edge = without_tree_edge(
      edges, source, parent, undirected,
      [&](std::size_t u, std::size_t v, double weight) { return distance[u] + weight == distance[v]; });
  std::uint64_t lost = not_led_to(source, parent);
  if (kasen::workers::rank() != 0) wrong_source = wrong_parents = no_edge = lost = 0;  // all count these
  return no_violations(fmt::format("distances and parents of {} vertices", reached),
                       {wrong_source, wrong_parents, no_edge, lost, shortcuts},
                       {"wrong source", "vertices with a distance or a parent alone",
                        "vertices whose distance is not that over their parent",
                        "vertices whose parents do not lead to the source", "edges that make a distance shorter"});
}

}  // namespace apps
