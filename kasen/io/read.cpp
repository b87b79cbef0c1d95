/// @file
/// From a path to the reader of its format.
#include "kasen/io/read.h"

#include "kasen/base/error.h"
#include "kasen/io/drop_edges.h"
#include "kasen/io/edge_list.h"
#include "kasen/io/format.h"
#include "kasen/io/text.h"

namespace kasen::io {

namespace {

SparseData read_any_graph(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                          const ValueRequest& values) {
  const Format format = format_of(communicator, text, Kind::graph, options);
  switch (format) {
    case Format::edge_list:
      return read_edge_list(communicator, text, options, values);
    default:
      break;
  }
  throw InputError(text.path() + ": " + std::string(name_of(format)) + " is not read as a graph");
}

}  // namespace

SparseData read_graph(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
                      const ValueRequest& values) {
  ValueRequest request = values;
  request.rule.finite = !options.allow_non_finite;
  const Text text(communicator, path, options.skip_lines);
  SparseData graph = read_any_graph(communicator, text, options, request);
  if (options.drop_self_loops) drop_self_loops(graph);
  if (options.drop_duplicates) drop_duplicates(communicator, graph);
  return graph;
}

}  // namespace kasen::io
