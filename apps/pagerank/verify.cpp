#include "apps/pagerank/verify.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "apps/common/plain_sum.h"
#include "kasen/functors.h"
#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {
namespace {

/// The edges as they stand in the file, some on each worker, and every vertex's number of out-edges.
struct Links {
  kasen::io::SparseData list;
  std::vector<double> degree;
};

Links read_links(const std::string& graph, const kasen::io::ReadOptions& input) {
  Links links{kasen::io::read_graph(kasen::workers::communicator(), graph, input, {}), {}};
  links.degree.resize(links.list.rows);
  for (kasen::GlobalIndex s : links.list.entries.row) links.degree[static_cast<std::size_t>(s)] += 1;
  links.degree = sum_over_workers(links.degree);
  return links;
}

/// @param source of personalised ranks: where a walk begins again
Residual residual_of(const Links& links, std::span<const double> ranks, double change, const RankDefinition& definition,
                     std::optional<kasen::GlobalIndex> source) {
  if (ranks.size() != links.list.rows) return {kasen::infinity, 0, 0};
  const kasen::GlobalIndices &from = links.list.entries.row, &to = links.list.entries.column;
  std::vector<double> sum(ranks.size());
  for (std::size_t e = 0; e < from.size(); ++e) {
    const auto s = static_cast<std::size_t>(from[e]);
    sum[static_cast<std::size_t>(to[e])] += ranks[s] / links.degree[s];
  }
  sum = sum_over_workers(sum);

  double lost = 0;
  for (std::size_t v = 0; v < ranks.size(); ++v) lost += links.degree[v] == 0 ? ranks[v] : 0;
  const bool to_one = definition.normalize || source;
  const double spread_over = source ? 1.0 : static_cast<double>(ranks.size());
  const double base = (1 - definition.damping) * (to_one ? 1 / spread_over : 1) +
                      (definition.redistribute ? definition.damping * lost / spread_over : 0);
  Residual residual;
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    const bool begins = !source || static_cast<std::size_t>(*source) == v;
    residual.l1 += std::abs((begins ? base : 0) + definition.damping * sum[v] - ranks[v]);
    residual.sum += ranks[v];
  }
  residual.allowed = definition.damping * change + 1e-12 * (to_one ? 1 : static_cast<double>(ranks.size()));
  return residual;
}

}  // namespace

std::string Residual::text() const {
  return fmt::format("residual {:.3g} (at most {:.3g} expected), sum of ranks {:.12g}", l1, allowed, sum);
}

Residual pagerank_residual(const std::string& graph, const kasen::io::ReadOptions& input, std::span<const double> ranks,
                           double change, const RankDefinition& definition) {
  return residual_of(read_links(graph, input), ranks, change, definition, {});
}

std::vector<Residual> personalised_residuals(const std::string& graph, const kasen::io::ReadOptions& input,
                                             std::span<const std::vector<double>> ranks,
                                             std::span<const kasen::GlobalIndex> sources, double change,
                                             const RankDefinition& definition) {
  const Links links = read_links(graph, input);
  std::vector<Residual> residuals;
  for (std::size_t k = 0; k < sources.size(); ++k)
    residuals.push_back(residual_of(links, ranks[k], change, definition, sources[k]));
  return residuals;
}

}  // namespace apps
