/// @file
/// Reading of the seeds of label propagation from a file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/graphs/program.h"

namespace apps {

struct Seeds {
  kasen::Vector<std::int32_t> of_vertex;  ///< the class of each vertex by its place in `classes`; -1: not known
  std::vector<std::string> classes;       ///< ascending: as integers if all of them are
  std::uint64_t count = 0;                ///< of seeds
};

/// Collective. Reads lines "vertex class". @throws InputError (by all workers) "FILE:LINE:COLUMN: found X, expected Y"
/// for what is no such line, a vertex that the graph does not have, or one that stands in two lines; "FILE: reason"
Seeds read_seeds(const std::string& path, const VertexNames& ids);

}  // namespace apps
