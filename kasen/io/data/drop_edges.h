/// @file
/// Graphs without the edges that some algorithms do not want.
#pragma once

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"

namespace kasen::io {

/// Local. Their vertices stay.
void drop_self_loops(SparseData& graph);

/// Collective. Of several edges with the same source and target, the first one stays, in the order of the entries over
/// the workers. Edges are ordered by source and target then, with a source's edges on one worker.
/// Cost: one all-to-all of the edges.
void drop_duplicates(const comm::Communicator& communicator, SparseData& graph);

}  // namespace kasen::io
