#include "partition/has_clusters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace kasen::partition {
namespace {

constexpr std::uint64_t kVerticesOfCluster = 64;  ///< on average, if all join one
constexpr int kHops = 4;                          ///< from the first vertex of a cluster to the last
constexpr std::uint64_t kFewer = 4;               ///< a hop by which so many times fewer join than before is the last
constexpr std::uint64_t kHub = 16;                ///< times the mean number of edges: more join no cluster

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();  ///< no cluster yet
constexpr std::uint32_t kNever = kNone - 1;                                 ///< of a hub; clusters are below

/// Calls visit(vertex, vertex) for each entry that is no loop.
template <class Visit>
void for_each_edge(const Entries& entries, const Shape& shape, Visit visit) {
  const std::uint64_t columns_at = shape.first_column();
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const auto a = static_cast<std::uint64_t>(entries.row[k]);
    const std::uint64_t b = static_cast<std::uint64_t>(entries.column[k]) + columns_at;
    if (a != b) visit(a, b);
  }
}

/// Vertices as neighbourhoods grow.
struct Growth {
  std::vector<std::uint32_t> cluster;  ///< of each vertex
  std::vector<std::uint32_t> parent;   ///< the neighbour by which a vertex has joined its cluster; kNone of the others
};

/// Collective. Clusters of one vertex each, named after them; all others are in none.
Growth first_clusters(const Team& team, const Entries& entries, const Shape& shape) {
  std::vector<std::uint64_t> degrees(shape.elements());
  for_each_edge(entries, shape, [&](std::uint64_t a, std::uint64_t b) {
    ++degrees[a];
    ++degrees[b];
  });
  team.sum(std::span<std::uint64_t>(degrees));
  std::uint64_t all = 0, touched = 0;
  for (const std::uint64_t degree : degrees) {
    all += degree;
    touched += degree != 0;
  }
  const std::uint64_t most = kHub * all / std::max<std::uint64_t>(touched, 1);
  Growth growth{std::vector<std::uint32_t>(degrees.size(), kNone), std::vector<std::uint32_t>(degrees.size(), kNone)};
  for (std::uint64_t v = 0; v < degrees.size(); ++v) {
    if (degrees[v] > most)
      growth.cluster[v] = kNever;
    else if (mix(v) % kVerticesOfCluster == 0)
      growth.cluster[v] = static_cast<std::uint32_t>(v);
  }
  return growth;
}

/// Collective. Vertices without a cluster join that of a neighbour: of several ones, any with equal chances.
/// @return how many have joined
std::uint64_t hop(const Team& team, const Entries& entries, const Shape& shape, Growth& growth) {
  constexpr std::uint64_t kNoOffer = std::numeric_limits<std::uint64_t>::max();
  const std::vector<std::uint32_t>& cluster = growth.cluster;
  std::vector<std::uint64_t> offers(cluster.size(), kNoOffer);  // a hash of both, and the neighbour
  const auto offer = [&](std::uint64_t from, std::uint64_t to) {
    if (cluster[from] >= kNever || cluster[to] != kNone) return;
    const std::uint64_t hash = mix(to << 32 | from) >> 32;
    offers[to] = std::min(offers[to], hash << 32 | from);
  };
  for_each_edge(entries, shape, [&](std::uint64_t a, std::uint64_t b) {
    offer(a, b);
    offer(b, a);
  });
  team.min(std::span<std::uint64_t>(offers));
  std::uint64_t joined = 0;
  for (std::size_t v = 0; v < offers.size(); ++v) {
    if (offers[v] == kNoOffer) continue;
    growth.parent[v] = static_cast<std::uint32_t>(offers[v]);
    growth.cluster[v] = growth.cluster[growth.parent[v]];  // who offers has been in one before, and none is left
    ++joined;
  }
  return joined;
}

}  // namespace

bool has_clusters(const Team& team, const Entries& entries, const Shape& shape) {
  Growth growth = first_clusters(team, entries, shape);
  const auto& [cluster, parent] = growth;
  std::uint64_t joined = 0;
  for (int hops = 0; hops < kHops; ++hops) {
    const std::uint64_t before = std::exchange(joined, hop(team, entries, shape, growth));
    if (joined * kFewer <= before) break;
  }
  std::uint64_t counts[] = {0, 0, 0};
  auto& [touching, within, of_trees] = counts;
  for_each_edge(entries, shape, [&](std::uint64_t a, std::uint64_t b) {
    touching += std::min(cluster[a], cluster[b]) < kNever;
    within += cluster[a] == cluster[b] && cluster[a] < kNever;
    of_trees += parent[a] == b || parent[b] == a;
  });
  team.sum(std::span<std::uint64_t>(counts));
  return within * 2 >= touching || (within - of_trees) * kClustered >= touching - of_trees;
}

}  // namespace kasen::partition
