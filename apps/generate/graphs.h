/// @file
/// Generators of graphs, random ones and grids: each worker makes its share of the edges, which are the same for any
/// number of workers.
#pragma once

#include <cstdint>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"

namespace apps::generate {

/// R-MAT, the stochastic Kronecker graph of Graph500: 2^scale vertices, 2^scale * edge_factor edges. Each edge falls,
/// bit by bit, into a quadrant of the adjacency matrix: a (both bits 0), b (target 1), c (source 1), or d, the rest.
struct Rmat {
  std::uint64_t scale = 16, edge_factor = 16, seed = 1;
  double a = 0.57, b = 0.19, c = 0.19;
  bool in_order = false;  ///< vertices of high degree come first; else they are numbered by a fixed bijection
};

/// Chung and Lu: the ends of each edge are drawn independently, with probabilities that fall as powers of the vertices'
/// ranks, so that degrees follow power laws with these exponents. In- and out-ranks of a vertex are independent.
struct PowerLaw {
  std::uint64_t vertices = 65536, edges = 1048576, seed = 1;
  double out_exponent = 2.5, in_exponent = 2.1;  ///< above 2
};

/// A grid, such as the streets of a planned town: rows * columns vertices in row-major order, with an edge each way
/// between neighbours in a row and between neighbours in a column.
struct Grid {
  std::uint64_t rows = 256, columns = 256;  ///< above 0
};

/// Weights of edges: whole numbers, uniform from 1 to `most`; 0: none. Both edges of a pair of neighbours in a grid
/// have the same.
struct Weights {
  std::uint64_t most = 0, seed = 1;
};

/// Local: nothing is sent. Random edges with duplicates and self-loops; entries in the order of edges over the workers.
kasen::io::SparseData rmat(const kasen::comm::Communicator& communicator, const Rmat& parameters,
                           const Weights& weights);
kasen::io::SparseData power_law(const kasen::comm::Communicator& communicator, const PowerLaw& parameters,
                                const Weights& weights);
kasen::io::SparseData grid(const kasen::comm::Communicator& communicator, const Grid& parameters,
                           const Weights& weights);

}  // namespace apps::generate
