/// @file
/// Graphs in the format of METIS and Chaco, read by all workers together.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Recognises a file by its name, .graph, .metis or .chaco, as it looks like an edge list.
Likeness recognise_metis(const Beginning& beginning);
/// What the file holds: edges have weights if the first line says so.
Content look_at_metis(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked);

/// Collective. Reads an undirected graph: every edge is an entry in both directions. Vertices are named 1, 2, ... by
/// their lines. Values are the weights of edges; sizes and weights of vertices are checked and left out.
/// @throws AgreedError "FILE: reason" or "FILE:LINE:COLUMN: reason", also if values are asked for and there are
///         none, if lines or edges are fewer or more than the first line says, or for an edge from a vertex to itself
SparseData read_metis_graph(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                            const ValueRequest& values);

}  // namespace kasen::io
