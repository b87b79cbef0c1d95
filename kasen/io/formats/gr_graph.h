/// @file
/// Binary graphs of Galois (.gr), versions 1 and 2, read and written by all workers together.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"
#include "kasen/io/data/read_options.h"
#include "kasen/io/lines/beginning.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

/// Recognises a file by its first number, which is the version; or by its name, if it is no text.
Likeness recognise_gr(const Beginning& beginning);
/// What the file holds: edges have weights if they have data, unless weights are ignored.
Content look_at_gr(const Beginning& beginning, const ReadOptions& options, std::optional<Kind> asked);

/// Collective. Reads a graph; vertices have no names but their numbers from 0. Entries come in the order of the file,
/// as many to each worker; they do not depend on the number of workers. The file does not say what its edges' data are:
/// float32 if they have 4 bytes, float64 if 8, or what stands behind the colon of options.format, "gr:uint32".
/// @throws AgreedError "FILE: reason": a size that is not the file's, ends of edges that descend, a target that
///         is no vertex, values that are not there, of another size, or do not fit
/// Memory: 8 bytes an edge and 8 a weight, and 24 a vertex on the way; a few MiB beside. Cost: each worker reads its
/// part of the ends, of the targets and of the data, and sends the ends on, 16 bytes a vertex.
SparseData read_gr_graph(const comm::Communicator& communicator, const Text& file, const ReadOptions& options,
                         const ValueRequest& values);

/// Collective. Writes version 1, or 2 if there are more vertices than 32 bits can number; data are float64, or none
/// for a pattern. Ids are left out. See kasen/io/formats/write.h.
void write_gr_graph(const comm::Communicator& communicator, const std::string& path, SparseData data);

}  // namespace kasen::io
