/// @file
/// Hand-written loops of the graph suite's supersteps, with the same types of elements, in a translation unit of their
/// own. Each visits all edges and does all of an iteration's other work in the same pass.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bench {

/// Edges compressed by one of their ends: those of vertex v are index[pointer[v]] to index[pointer[v + 1]].
struct Compressed {
  const std::uint32_t* pointer;
  const std::uint32_t* index;
  const double* weight;  ///< null: none
  std::size_t vertices;
};

/// The elements of `frontier` are vertices, or the largest integer. @return vertices found
std::int64_t bfs_level(const Compressed& incoming, const std::int64_t* frontier, std::int64_t* next_frontier,
                       std::int32_t* level, std::int64_t* parent, std::int32_t depth);

/// @return vertices whose distance has changed
std::int64_t sssp_round(const Compressed& incoming, const double* distance, double* next);

/// @return vertices whose label has changed
std::int64_t components_round(const Compressed& incoming, const Compressed& outgoing, const std::int64_t* label,
                              std::int64_t* next);

/// One iteration in three passes, as norms must be known before what is divided by them. `a` and `h` are room for a
/// vector each. @return the change of both, in sum
double hits_iteration(const Compressed& incoming, const Compressed& outgoing, double* hub, double* authority, double* a,
                      double* h);

}  // namespace bench
