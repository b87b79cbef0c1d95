#include "apps/graphs/edges.h"

#include <cstring>

#include "kasen/io/formats/read.h"
#include "kasen/workers.h"

namespace apps {

Edges read_edges(const GraphFile& graph, bool weighted) {
  kasen::io::SparseData data =
      kasen::io::read_graph(kasen::workers::communicator(), graph.path, graph.input, {.stored = weighted});
  Edges edges{data.rows, std::move(data.entries.row), std::move(data.entries.column), {}};
  edges.weight.assign(edges.source.size(), 1.0);
  if (weighted && !edges.weight.empty())
    std::memcpy(edges.weight.data(), data.entries.value.data(), edges.weight.size() * sizeof(double));
  return edges;
}

Finding no_violations(const std::string& checked, std::vector<std::uint64_t> counts,
                      const std::vector<std::string>& what) {
  kasen::workers::sum(std::span<std::uint64_t>(counts));
  std::string text;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[k], what[k]);
  }
  return {text.empty(), text.empty() ? checked : text};
}

}  // namespace apps
