/// @file
/// Removal of self-loops and duplicates from graphs.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"

namespace kasen::io {

/// Local. Removes edges from a vertex to itself; their vertices stay.
void drop_self_loops(SparseData& graph);

/// Collective. Keeps of several edges with the same source and target the first one, in the order of the entries over
/// the workers. Afterwards edges are ordered by source and target, with a source's edges on one worker.
/// Cost: one all-to-all of the edges.
void drop_duplicates(const comm::Communicator& communicator, SparseData& graph);

}  // namespace kasen::io
