#include "partition/has_clusters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace kasen::partition {
namespace {

constexpr std::uint64_t kVerticesOfCluster = 64;  ///< on average, if all join one
constexpr int kHops = 4;                          ///< from the first vertex of a cluster to the last
constexpr std::uint64_t kWorthwhile = 16;         ///< a hop in which fewer than one vertex in so many join is the last
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

/// Collective. Clusters of one vertex each, named after them; all others are in none.
std::vector<std::uint32_t> first_clusters(const Team& team, const Entries& entries, const Shape& shape) {
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
  std::vector<std::uint32_t> cluster(degrees.size(), kNone);
  for (std::uint64_t v = 0; v < cluster.size(); ++v) {
    if (degrees[v] > most)
      cluster[v] = kNever;
    else if (mix(v) % kVerticesOfCluster == 0)
      cluster[v] = static_cast<std::uint32_t>(v);
  }
  return cluster;
}

/// Collective. Vertices without a cluster join that of a neighbour: of several ones, any with equal chances.
/// @return how many have joined
std::uint64_t hop(const Team& team, const Entries& entries, const Shape& shape, std::vector<std::uint32_t>& cluster) {
  constexpr std::uint64_t kNoOffer = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> offers(cluster.size(), kNoOffer);  // a hash of both, and the cluster
  const auto offer = [&](std::uint64_t from, std::uint64_t to) {
    if (cluster[from] >= kNever || cluster[to] != kNone) return;
    const std::uint64_t hash = mix(to << 32 | cluster[from]) >> 32;
    offers[to] = std::min(offers[to], hash << 32 | cluster[from]);
  };
  for_each_edge(entries, shape, [&](std::uint64_t a, std::uint64_t b) {
    offer(a, b);
    offer(b, a);
  });
  team.min(std::span<std::uint64_t>(offers));
  std::uint64_t joined = 0;
  for (std::size_t v = 0; v < offers.size(); ++v) {
    if (offers[v] == kNoOffer) continue;
    cluster[v] = static_cast<std::uint32_t>(offers[v]);
    ++joined;
  }
  return joined;
}

}  // namespace

bool has_clusters(const Team& team, const Entries& entries, const Shape& shape) {
  std::vector<std::uint32_t> cluster = first_clusters(team, entries, shape);
  for (int hops = 0; hops < kHops; ++hops)
    if (hop(team, entries, shape, cluster) * kWorthwhile < cluster.size()) break;
  std::uint64_t within = 0, touching = 0;
  for_each_edge(entries, shape, [&](std::uint64_t a, std::uint64_t b) {
    touching += std::min(cluster[a], cluster[b]) < kNever;
    within += cluster[a] == cluster[b] && cluster[a] < kNever;
  });
  return team.sum(within) * kClustered >= team.sum(touching);
}

}  // namespace kasen::partition
