/// @file
/// Struct GraphShare: a worker's share of the graph of a matrix, for partitioners that run on all workers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/base/entries.h"
#include "kasen/base/ids.h"
#include "partition/assignment.h"
#include "partition/partitioner.h"
#include "partition/team.h"

namespace kasen::partition {

/// A worker's run of the vertices of an undirected graph with all their edges, each of which is on both ends' workers.
/// Local indices are those of the run, then those of the remote vertices: other ends that belong to other workers.
struct GraphShare {
  static constexpr std::uint32_t kMostWeight = (1u << 31) - 1;
  struct Edge {
    std::uint32_t to;
    std::uint32_t weight : 31;     ///< kMostWeight: that or more
    std::uint32_t replicates : 1;  ///< whether this vertex has a replica in the part of the other end
  };
  Assignment runs;                          ///< of global vertices, by worker
  std::uint64_t first = 0;                  ///< the global vertex with local index 0
  std::vector<std::uint64_t> loads;         ///< of the vertices of the run
  std::vector<std::uint64_t> begin;         ///< of the edges of each vertex of the run; one more
  std::vector<Edge> edges;                  ///< no two of a vertex have the same other end, which is another vertex
  std::vector<GlobalIndex> remotes;         ///< ascending
  std::vector<std::uint64_t> sent_offsets;  ///< by worker
  std::vector<std::uint32_t> sent;          ///< local indices of what is remote to each worker

  std::size_t vertices() const { return loads.size(); }
  std::size_t local_size() const { return loads.size() + remotes.size(); }
  std::uint64_t global_vertices() const { return runs.length(); }
  std::span<const Edge> edges_of(std::size_t v) const {
    return std::span(edges).subspan(begin[v], begin[v + 1] - begin[v]);
  }
  /// Of any local index.
  GlobalIndex global(std::size_t v) const {
    return v < vertices() ? static_cast<GlobalIndex>(first + v) : remotes[v - vertices()];
  }

  /// Collective. Gives remote vertices their values. @param values by local index
  template <class T>
  void update_remotes(const Team& team, std::vector<T>& values) const {
    if (team.alone()) return;
    std::vector<T> mine(sent.size());
    for (std::size_t k = 0; k < sent.size(); ++k) mine[k] = values[sent[k]];
    const std::vector<T> came = team.all_to_all(std::span<const T>(mine), sent_offsets).values;
    std::copy(came.begin(), came.end(), values.begin() + static_cast<std::ptrdiff_t>(vertices()));
  }
};

/// An edge between global vertices, as seen by the first one.
struct GlobalEdge {
  std::uint32_t from, to;
  std::uint32_t weight;
};

/// The graph of a matrix, and on which side non-zeros go.
struct MatrixGraph {
  GraphShare share;
  bool by_row = true;
};

/// Collective. The graph of a matrix: of one space its elements, joined where either of the two entries is a non-zero;
/// of two spaces the rows, then the columns. The weight is the number of the two that are non-zeros. Non-zeros go with
/// their rows or their columns, whichever have the shorter longest line; a vertex's load is kElementLoad and the
/// non-zeros that go with it. @pre rows and columns are fewer than 2^31
/// Cost: each non-zero travels twice, as 8 bytes; memory 32 bytes a non-zero.
MatrixGraph graph_of(const Team& team, const Entries& entries, const Shape& shape);

/// Collective. The graph of given edges; the weights of equal ones are summed up. All edges of a vertex of the run are
/// on its worker.
GraphShare graph_of(const Team& team, Assignment runs, std::vector<std::uint64_t> loads, std::vector<GlobalEdge> edges);

}  // namespace kasen::partition
