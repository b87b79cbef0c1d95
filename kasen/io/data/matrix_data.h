/// @file
/// Data of graphs, samples and tables, as readers spread it over the workers and writers take it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "kasen/base/entries.h"
#include "kasen/io/ids/vertex_ids.h"

namespace kasen::io {

/// A graph, or samples with few non-zeros.
struct SparseData {
  Entries entries;  ///< global indices; values are double (value_bytes 8), or none (0): a pattern
  std::uint64_t rows = 0, columns = 0;
  bool graph = false;          ///< rows and columns are the same vertices: one index space
  VertexIds ids;               ///< of a graph's vertices as the file names them; of length 0 if they have no names
  bool labelled = false;       ///< samples with one label a row
  std::vector<double> labels;  ///< of this worker's block of rows (partition::Assignment::block)
};

/// A table of numbers: dense samples, points, columns of options.
struct DenseData {
  std::uint64_t rows = 0, columns = 0;
  std::vector<double> values;      ///< this worker's block of rows (partition::Assignment::block), row-major
  std::vector<std::string> names;  ///< of the columns, the same on every worker; empty if they have none
};

}  // namespace kasen::io
