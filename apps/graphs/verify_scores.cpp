#include <cmath>

#include "apps/common/largest.h"
#include "apps/common/plain_sum.h"
#include "apps/graphs/verify.h"

namespace apps {

namespace {

/// Collective. The sum over edges that end in a vertex (or, backwards, begin there) of what their other ends have.
std::vector<double> sums(const Edges& edges, std::span<const double> from, bool backwards) {
  std::vector<double> sum(from.size());
  for (std::size_t e = 0; e < edges.source.size(); ++e) {
    const auto s = static_cast<std::size_t>(edges.source[e]), t = static_cast<std::size_t>(edges.target[e]);
    sum[backwards ? s : t] += edges.weight[e] * from[backwards ? t : s];
  }
  return sum_over_workers(sum);
}

void normalise(std::vector<double>& v) {
  double squares = 0;
  for (const double x : v) squares += x * x;
  if (squares == 0) return;
  for (double& x : v) x /= std::sqrt(squares);
}

double difference(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += std::abs(a[k] - b[k]);
  return sum;
}

}  // namespace

Finding verify_hits(const Edges& edges, std::span<const double> hub, std::span<const double> authority, double change) {
  std::vector<double> own = sums(edges, authority, true);
  normalise(own);
  const double rounding = 1e-12 * static_cast<double>(hub.size() + 1);
  if (std::isinf(change)) {  // before the first iteration hubs are equal, and there are no authorities
    const std::vector<double> first(hub.size(), 1 / std::sqrt(static_cast<double>(hub.size()))), none(hub.size(), 0.0);
    const double off = difference(first, hub) + difference(none, authority);
    return {off <= rounding, fmt::format("first scores within {:.3g}", off)};
  }
  const double hub_error = difference(own, hub);
  std::vector<double> next = sums(edges, hub, false);
  normalise(next);
  const double moved = difference(next, authority);
  return {hub_error <= rounding && moved <= 2 * change + rounding,
          fmt::format("hubs within {:.3g}, one more iteration changes authorities by {:.3g} (at most {:.3g} expected)",
                      hub_error, moved, 2 * change)};
}

std::vector<double> neighbour_weights(const Edges& edges, bool directed) {
  const std::vector<double> ones(edges.vertices, 1.0);
  std::vector<double> weight = sums(edges, ones, false);
  if (directed) return weight;
  const std::vector<double> back = sums(edges, ones, true);
  for (std::size_t v = 0; v < weight.size(); ++v) weight[v] += back[v];
  return weight;
}

Finding verify_scores(const Edges& edges, std::span<const double> score, std::span<const double> weight,
                      std::span<const std::int32_t> seed, std::int32_t of, bool directed, double change) {
  std::vector<double> mean = sums(edges, score, false);
  if (!directed) {
    const std::vector<double> back = sums(edges, score, true);
    for (std::size_t v = 0; v < mean.size(); ++v) mean[v] += back[v];
  }
  double residual = 0;
  std::uint64_t wrong_seeds = 0;
  for (std::size_t v = 0; v < mean.size(); ++v) {
    if (seed[v] >= 0) {
      wrong_seeds += score[v] != (seed[v] == of ? 1.0 : 0.0);
    } else {
      keep_larger(residual, std::abs(score[v] - (weight[v] > 0 ? mean[v] / weight[v] : 0.0)));
    }
  }
  return {wrong_seeds == 0 && residual <= change + 1e-12,
          fmt::format("residual {:.3g} (at most {:.3g} expected), {} wrong seeds", residual, change, wrong_seeds)};
}

}  // namespace apps
