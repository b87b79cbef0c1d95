/// @file
/// Edge lists: graphs as texts with one edge a line, read and written by all workers together.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Any text but samples is possibly an edge list; likely if most of its lines have two or three fields, without
/// commas.
Likeness recognise_edge_list(const Beginning& beginning);
/// What an edge list holds: edges have weights if the first one has a third field.
Content look_at_edge_list(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked);

/// Collective. Each worker reads the lines that begin in its share of the text's bytes.
///
/// A line holds two ids, and a weight if values are asked for, separated by blanks or tabs. Ids are 64-bit integers, or
/// words of up to 65,535 bytes without blanks or control characters. Lines that start with # or %, also behind blanks,
/// are comments; blank lines are skipped. Lines end with LF or CRLF, the last one need not end. A line of more than
/// 1 MiB can only be a comment.
///
/// @return a graph: row = source, column = target; entries in the order of the text over the workers. A vertex's global
///         index is its id's rank in ascending order. Nothing depends on the number of workers.
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: reason" for the first wrong line of the text; the
///         same message for any number of workers.
/// Memory: 8 bytes an edge and 8 a weight, and each distinct id a few times over. Cost: see rank_ids
/// (kasen/io/ids/id_ranking.h).
SparseData read_edge_list(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                          const ValueRequest& values);

/// Collective. Writes a line `source target [weight]` for each edge, by sources, then targets, under the ids of the
/// vertices, else their numbers from 0. Vertices without an edge are left out. See kasen/io/formats/write.h.
void write_edge_list(const comm::Communicator& communicator, const std::string& path, SparseData data);

}  // namespace kasen::io
