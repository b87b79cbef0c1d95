/// @file
/// Look-up of the reader for a path's format.
#include "kasen/io/formats/read.h"

#include "comm/agreement.h"
#include "kasen/io/data/drop_edges.h"
#include "kasen/io/formats/tell.h"
#include "kasen/io/lines/text.h"

namespace kasen::io {

namespace {

ValueRequest with(const ReadOptions& options, ValueRequest values) {
  values.rule.finite = !options.allow_non_finite;
  return values;
}

}  // namespace

SparseData read_graph(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
                      const ValueRequest& values) {
  return comm::alike([&] {
    const Text text(communicator, path, options.skip_lines);
    const Format& format = format_of(communicator, text, Kind::graph, options);
    SparseData graph = format.read_graph(communicator, text, options, with(options, values));
    if (options.drop_self_loops) drop_self_loops(graph);
    if (options.drop_duplicates) drop_duplicates(communicator, graph);
    return graph;
  });
}

SparseData read_samples(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
                        const ValueRequest& values) {
  return comm::alike([&] {
    const Text text(communicator, path, options.skip_lines);
    const Format& format = format_of(communicator, text, Kind::samples, options);
    return format.read_samples(communicator, text, options, with(options, values));
  });
}

DenseData read_dense(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options) {
  return comm::alike([&] {
    const Text text(communicator, path, options.skip_lines);
    return format_of(communicator, text, Kind::dense, options).read_dense(communicator, text, options);
  });
}

}  // namespace kasen::io
