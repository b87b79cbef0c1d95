/// @file
/// From a path to the reader of its format.
#include "kasen/io/read.h"

#include "kasen/base/error.h"
#include "kasen/io/drop_edges.h"
#include "kasen/io/edge_list.h"
#include "kasen/io/format.h"
#include "kasen/io/libsvm.h"
#include "kasen/io/matrix_market.h"
#include "kasen/io/metis_graph.h"
#include "kasen/io/read_hdf5.h"
#include "kasen/io/table.h"
#include "kasen/io/text.h"

namespace kasen::io {

namespace {

ValueRequest with(const ReadOptions& options, ValueRequest values) {
  values.rule.finite = !options.allow_non_finite;
  return values;
}

/// format_of has refused all other formats.
[[noreturn]] void not_read(Format format) { throw InternalError(std::string(name_of(format)) + " is not read"); }

SparseData read_any_graph(const comm::Communicator& communicator, const Text& text, const ReadOptions& options,
                          const ValueRequest& values) {
  const Format format = format_of(communicator, text, Kind::graph, options);
  switch (format) {
    case Format::edge_list:
      return read_edge_list(communicator, text, options, values);
    case Format::matrix_market:
      return read_matrix_market(communicator, text, options, values, true);
    case Format::metis:
      return read_metis_graph(communicator, text, values);
    case Format::hdf5:
      return read_hdf5(communicator, text, options, values, true);
    default:
      not_read(format);
  }
}

}  // namespace

SparseData read_graph(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
                      const ValueRequest& values) {
  const Text text(communicator, path, options.skip_lines);
  SparseData graph = read_any_graph(communicator, text, options, with(options, values));
  if (options.drop_self_loops) drop_self_loops(graph);
  if (options.drop_duplicates) drop_duplicates(communicator, graph);
  return graph;
}

SparseData read_samples(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options,
                        const ValueRequest& values) {
  const Text text(communicator, path, options.skip_lines);
  const Format format = format_of(communicator, text, Kind::samples, options);
  switch (format) {
    case Format::libsvm:
      return read_libsvm(communicator, text, options, with(options, values));
    case Format::matrix_market:
      return read_matrix_market(communicator, text, options, with(options, values), false);
    case Format::hdf5:
      return read_hdf5(communicator, text, options, with(options, values), false);
    default:
      not_read(format);
  }
}

DenseData read_dense(const comm::Communicator& communicator, const std::string& path, const ReadOptions& options) {
  const Text text(communicator, path, options.skip_lines);
  const Format format = format_of(communicator, text, Kind::dense, options);
  const NumberRule rule{.finite = !options.allow_non_finite};
  switch (format) {
    case Format::table:
      return read_table(communicator, text, rule);
    case Format::matrix_market:
      return read_matrix_market_array(communicator, text, rule);
    case Format::hdf5:
      return read_hdf5_table(communicator, text, options);
    default:
      not_read(format);
  }
}

}  // namespace kasen::io
