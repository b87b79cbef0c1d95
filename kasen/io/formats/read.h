/// @file
/// Reading of graphs, samples and tables from files of any format, for programs and tools.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"

namespace kasen::io {

/// Collective. Reads a graph, or any matrix whose non-zeros are listed. `path` is a file or a directory of parts, plain
/// or compressed (kasen/io/lines/text.h). Vertices that the file numbers are named by these numbers.
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: reason"
SparseData read_graph(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options = {},
                      const ValueRequest& values = {});

/// Collective. Reads samples with few non-zeros, one a row.
SparseData read_samples(const comm::Communicator& communicator, const std::string& path,
                        const ReadOptions& options = {}, const ValueRequest& values = {.stored = true});

/// Collective. Reads a table of numbers, or a dense matrix.
DenseData read_dense(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options = {});

}  // namespace kasen::io
