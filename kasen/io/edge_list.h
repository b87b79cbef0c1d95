/// @file
/// Reads a graph as people distribute them: a text with one edge a line, by all workers together.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/matrix_data.h"
#include "kasen/io/read_options.h"
#include "kasen/io/text.h"

namespace kasen::io {

/// Collective. Each worker reads the lines that begin in its share of the text's bytes.
///
/// A line holds two ids, and a weight if values are asked for, separated by blanks or tabs. Ids are 64-bit integers, or
/// words of up to 65,535 bytes without blanks or control characters. Lines that start with # or %, also behind blanks,
/// are comments; blank lines are skipped. Lines end with LF or CRLF, the last one need not end. A line of more than
/// 1 MiB can only be a comment.
///
/// @return a graph: row = source, column = target; entries in the order of the text over the workers. A vertex's global
///         index is its id's rank in ascending order. Nothing depends on the number of workers.
/// @throws InputError (agreed) "FILE: reason" or "FILE:LINE:COLUMN: reason" for the first wrong line of the text; the
///         same message for any number of workers.
/// Memory: 16 bytes an edge and 8 a weight, and each distinct id a few times over. Cost: see rank_ids
/// (kasen/io/id_ranking.h).
SparseData read_edge_list(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                          const ValueRequest& values);

}  // namespace kasen::io
