/// @file
/// What a file is, of everything that can be read: before a reader is chosen.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "kasen/io/format.h"
#include "kasen/io/read_options.h"

namespace apps::convert {

struct Told {
  kasen::io::Kind kind = kasen::io::Kind::graph;
  kasen::io::Format format = kasen::io::Format::automatic;
  bool values = false;  ///< of a graph: its edges have weights
};

/// Collective. By the content, then by the name. HDF5: what Kasen's files say of themselves, else a sparse matrix
/// before a table. Matrix Market and HDF5: a sparse matrix is a graph if it is square. Other texts: LIBSVM by its
/// pairs; if most lines have two or three fields, without commas, an edge list, unless the name ends in .csv, .tsv,
/// .dat or .data.
/// @param options format and kind may be given: `format` there, `kind` null or what is asked for.
/// @throws InputError (agreed) if it is none of them
Told tell(const kasen::comm::Communicator& communicator, const std::string& path, const kasen::io::ReadOptions& options,
          const kasen::io::Kind* kind);

}  // namespace apps::convert
