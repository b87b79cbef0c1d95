#include "apps/pagerank/verify.h"

#include <cmath>
#include <vector>

#include "kasen/io/read.h"
#include "kasen/output.h"

namespace apps {
namespace {

/// Element-wise sum over workers.
std::vector<double> summed(const std::vector<double>& mine) {
  const kasen::comm::Communicator& workers = kasen::detail::control();
  const auto parts = static_cast<std::uint64_t>(workers.size());
  std::vector<std::uint64_t> cut;
  for (std::uint64_t w = 0; w <= parts; ++w) cut.push_back(mine.size() * w / parts);
  const auto received = workers.all_to_all(std::span<const double>(mine), cut);
  const auto me = static_cast<std::size_t>(workers.rank());
  std::vector<double> block(cut[me + 1] - cut[me]);
  for (std::size_t i = 0; i < received.values.size(); ++i) block[i % block.size()] += received.values[i];
  return workers.all_gather(std::span<const double>(block)).values;
}

}  // namespace

Residual pagerank_residual(const std::string& graph, const kasen::io::ReadOptions& input, std::span<const double> ranks,
                           const RankDefinition& definition) {
  const kasen::io::SparseData list = kasen::io::read_graph(kasen::detail::control(), graph, input, {});
  const std::vector<kasen::GlobalIndex>&source = list.entries.row, &target = list.entries.column;
  std::vector<double> degree(ranks.size());
  for (kasen::GlobalIndex s : source) degree[static_cast<std::size_t>(s)] += 1;
  degree = summed(degree);
  std::vector<double> sum(ranks.size());
  for (std::size_t e = 0; e < source.size(); ++e) {
    const auto s = static_cast<std::size_t>(source[e]);
    sum[static_cast<std::size_t>(target[e])] += ranks[s] / degree[s];
  }
  sum = summed(sum);

  const auto vertices = static_cast<double>(ranks.size());
  double lost = 0;
  for (std::size_t v = 0; v < ranks.size(); ++v) lost += degree[v] == 0 ? ranks[v] : 0;
  const double base = (1 - definition.damping) * (definition.normalize ? 1 / vertices : 1) +
                      (definition.redistribute ? definition.damping * lost / vertices : 0);
  Residual residual;
  for (std::size_t v = 0; v < ranks.size(); ++v) {
    residual.l1 += std::abs(base + definition.damping * sum[v] - ranks[v]);
    residual.sum += ranks[v];
  }
  return residual;
}

}  // namespace apps
