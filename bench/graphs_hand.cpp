#include "bench/graphs_hand.h"

#include <cmath>
#include <initializer_list>
#include <limits>

namespace bench {

namespace {

constexpr std::int64_t kNobody = std::numeric_limits<std::int64_t>::max();

/// raw = sums over edges of `from`. @return the norm of raw
double sums(const Compressed& edges, const double* from, double* raw) {
  double squares = 0;
  for (std::size_t v = 0; v < edges.vertices; ++v) {
    double sum = 0;
    for (std::uint32_t e = edges.pointer[v]; e < edges.pointer[v + 1]; ++e) sum += from[edges.index[e]];
    raw[v] = sum;
    squares += sum * sum;
  }
  return squares > 0 ? std::sqrt(squares) : 1;
}

}  // namespace

std::int64_t bfs_level(const Compressed& incoming, const std::int64_t* frontier, std::int64_t* next_frontier,
                       std::int32_t* level, std::int64_t* parent, std::int32_t depth) {
  std::int64_t found = 0;
  for (std::size_t v = 0; v < incoming.vertices; ++v) {
    std::int64_t from = kNobody;
    for (std::uint32_t e = incoming.pointer[v]; e < incoming.pointer[v + 1]; ++e) {
      const std::int64_t u = frontier[incoming.index[e]];
      from = u < from ? u : from;
    }
    const bool is_new = from != kNobody && level[v] < 0;
    level[v] = is_new ? depth : level[v];
    parent[v] = is_new ? from : parent[v];
    next_frontier[v] = is_new ? static_cast<std::int64_t>(v) : kNobody;
    found += is_new;
  }
  return found;
}

std::int64_t sssp_round(const Compressed& incoming, const double* distance, double* next) {
  std::int64_t changed = 0;
  for (std::size_t v = 0; v < incoming.vertices; ++v) {
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t e = incoming.pointer[v]; e < incoming.pointer[v + 1]; ++e) {
      const double way = distance[incoming.index[e]] + incoming.weight[e];
      best = way < best ? way : best;
    }
    const bool shorter = best < distance[v];
    next[v] = shorter ? best : distance[v];
    changed += shorter;
  }
  return changed;
}

std::int64_t components_round(const Compressed& incoming, const Compressed& outgoing, const std::int64_t* label,
                              std::int64_t* next) {
  std::int64_t changed = 0;
  for (std::size_t v = 0; v < incoming.vertices; ++v) {
    std::int64_t least = label[v];
    for (const Compressed* edges : {&incoming, &outgoing}) {
      for (std::uint32_t e = edges->pointer[v]; e < edges->pointer[v + 1]; ++e) {
        const std::int64_t other = label[edges->index[e]];
        least = other < least ? other : least;
      }
    }
    changed += least != label[v];
    next[v] = least;
  }
  return changed;
}

double hits_iteration(const Compressed& incoming, const Compressed& outgoing, double* hub, double* authority, double* a,
                      double* h) {
  const double authority_norm = sums(incoming, hub, a), hub_norm = sums(outgoing, a, h);
  double change = 0;
#pragma omp simd reduction(+ : change)
  for (std::size_t v = 0; v < incoming.vertices; ++v) {
    const double new_authority = a[v] / authority_norm, new_hub = h[v] / hub_norm;
    change += std::abs(new_authority - authority[v]) + std::abs(new_hub - hub[v]);
    authority[v] = new_authority;
    hub[v] = new_hub;
  }
  return change;
}

}  // namespace bench
