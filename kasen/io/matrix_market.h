/// @file
/// Reads Matrix Market files, by all workers together: coordinates and arrays; real, integer or pattern; general,
/// symmetric or skew-symmetric, of which both halves come out.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/matrix_data.h"
#include "kasen/io/read_options.h"
#include "kasen/io/text.h"

namespace kasen::io {

/// Collective. Of an array every element is an entry. Vertices of a square matrix are named 1, 2, ... as in the file,
/// if `graph`. Entries in the order of the file over the workers; of a symmetric one each half beside the other.
/// @throws InputError (agreed) "FILE: reason" or "FILE:LINE:COLUMN: reason", also if values are asked for and there are
///         none, or if the file has more or fewer entries than it says
SparseData read_matrix_market(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                              const ValueRequest& values, bool graph);

/// Collective. An array. Coordinates are refused: they have few of the elements.
DenseData read_matrix_market_array(const comm::Communicator& communicator, const Text& text, const NumberRule& rule);

}  // namespace kasen::io
