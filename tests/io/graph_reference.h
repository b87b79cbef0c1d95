/// @file
/// A serial reader of well-formed edge lists that shares nothing with the one under test, and the collective
/// comparison with it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"
#include "kasen/io/formats/read.h"

namespace kasen::io {

using NamedEdge = std::pair<std::string, std::string>;
using IndexedEdge = std::pair<GlobalIndex, GlobalIndex>;

struct ReferenceGraph {
  std::vector<std::string> names;  ///< by global index
  std::vector<IndexedEdge> edges;  ///< in file order
};

/// @param less orders names as ids are to be ordered
template <class Less>
ReferenceGraph index_graph(const std::vector<NamedEdge>& edges, Less less) {
  std::map<std::string, GlobalIndex, Less> index(less);
  for (const auto& [source, target] : edges) index[source], index[target];
  ReferenceGraph graph;
  for (auto& [name, i] : index) {
    i = static_cast<GlobalIndex>(graph.names.size());
    graph.names.push_back(name);
  }
  for (const auto& [source, target] : edges) graph.edges.emplace_back(index[source], index[target]);
  return graph;
}

inline bool less_integer(const std::string& a, const std::string& b) { return std::stoll(a) < std::stoll(b); }
inline bool less_word(const std::string& a, const std::string& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return static_cast<unsigned char>(x) < static_cast<unsigned char>(y);
  });
}

inline std::vector<NamedEdge> named_edges(const std::string& path, int skip_lines = 0) {
  std::ifstream file(path);
  std::vector<NamedEdge> edges;
  for (std::string line; std::getline(file, line);) {
    if (skip_lines-- > 0) continue;
    std::istringstream fields(line);
    std::string source, target;
    if (fields >> source >> target && source[0] != '#' && source[0] != '%') edges.emplace_back(source, target);
  }
  return edges;
}

/// Collective. All workers' edges, by rank.
inline std::vector<IndexedEdge> all_edges(const comm::Communicator& communicator, const SparseData& list) {
  const auto rows = communicator.all_gather(std::span<const GlobalIndex>(list.entries.row.copy()));
  const auto columns = communicator.all_gather(std::span<const GlobalIndex>(list.entries.column.copy()));
  std::vector<IndexedEdge> edges;
  for (std::size_t k = 0; k < rows.values.size(); ++k) edges.emplace_back(rows.values[k], columns.values[k]);
  return edges;
}

/// Collective. All vertices' ids by global index, as `names` gives them.
inline std::vector<std::string> all_names(const comm::Communicator& communicator, const SparseData& list) {
  std::vector<GlobalIndex> every(list.rows);
  for (std::uint64_t i = 0; i < list.rows; ++i) every[i] = static_cast<GlobalIndex>(i);
  return list.ids.names(communicator, every);
}

/// Collective. Edges (in this order), vertices and names are those of the reference.
inline void expect_equal(const comm::Communicator& communicator, const SparseData& list, const ReferenceGraph& graph) {
  EXPECT_EQ(list.rows, graph.names.size());
  EXPECT_EQ(list.ids.length(), graph.names.size());
  EXPECT_EQ(list.columns, graph.names.size());
  EXPECT_TRUE(list.graph);
  EXPECT_EQ(all_edges(communicator, list), graph.edges);
  EXPECT_EQ(all_names(communicator, list), graph.names);
  EXPECT_EQ(list.entries.value_bytes, 0u);
  EXPECT_TRUE(list.entries.value.empty());
}

}  // namespace kasen::io
