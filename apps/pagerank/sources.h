/// @file
/// Ranks of `pagerank --sources`, as each of several vertices sees them.
#pragma once

#include <string>
#include <vector>

#include "apps/common/stopping.h"
#include "apps/graphs/program.h"

namespace apps {

struct SourceOptions {
  GraphFile graph;
  std::string sources;  ///< names of vertices, separated by commas, or a file with one a line
  double damping;
  bool redistribute;
  Stopping stopping;
  std::size_t top;  ///< ranks to print of each source
};

/// Collective. Ranks, prints, writes "rank_SOURCE" for each, and verifies as the command line says. @throws
/// InputError (by all workers) "FILE: has no vertex 'x', which --sources names"; if a source is named twice, or none is
void rank_for_sources(const SourceOptions& options);

}  // namespace apps
