/// @file
/// Matrix Market files, read and written by all workers together: coordinates and arrays; real, integer or pattern;
/// general, symmetric or skew-symmetric, of which both halves come out.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Recognises a file by its first line.
Likeness recognise_matrix_market(const Beginning& beginning);
/// What the file holds: a table if it is an array, else a graph if it is square.
Content look_at_matrix_market(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked);

/// Collective. Reads a matrix. Of an array every element is an entry. Vertices of a graph, a square matrix, are named
/// 1, 2, ... as in the file. Entries come in the order of the file, both halves of a symmetric one together.
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: reason", also if values are asked for and there are
///         none, or if the file has more or fewer entries than it says
SparseData read_matrix_market_graph(const comm::Communicator& communicator, const Text& text,
                                    const ReadOptions& options, const ValueRequest& values);
SparseData read_matrix_market_samples(const comm::Communicator& communicator, const Text& text,
                                      const ReadOptions& options, const ValueRequest& values);

/// Collective. Reads an array. Coordinates are refused, as they have few of the elements.
DenseData read_matrix_market_array(const comm::Communicator& communicator, const Text& text,
                                   const ReadOptions& options);

/// Collective. Writes `coordinate` (by rows, `real` or `pattern`, `general`), and `array`. Ids, labels and names are
/// left out. See kasen/io/formats/write.h.
void write_matrix_market(const comm::Communicator& communicator, const std::string& path, SparseData data);
void write_matrix_market(const comm::Communicator& communicator, const std::string& path, const DenseData& data);

}  // namespace kasen::io
