/// @file
/// kasen-convert: any file that Kasen reads to any that it writes, by all workers together, or what a file is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/convert/describe.h"
#include "apps/convert/tell.h"
#include "comm/environment.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/input_options.h"
#include "kasen/io/drop_edges.h"
#include "kasen/io/hdf5_input.h"
#include "kasen/io/matrix_output.h"
#include "kasen/io/output_names.h"
#include "kasen/io/partition_file.h"
#include "kasen/io/prepared.h"
#include "kasen/io/read.h"
#include "kasen/io/write.h"
#include "kasen/option_values.h"
#include "kasen/session/command_line.h"
#include "partition/choose.h"

namespace {

using kasen::InputError;
using kasen::UsageError;
using kasen::comm::Communicator;
using kasen::io::Format;
using kasen::io::Kind;

struct ConvertOptions {
  std::string input, output, labels;
  kasen::io::ReadOptions reading;
  std::optional<Kind> kind;
  Format to = Format::automatic;
  bool describe = false, prepare = false;
  std::optional<int> workers;
  kasen::Options planning;  ///< partition, threshold, progress, quiet
};

bool parse(int argc, char** argv, bool first, ConvertOptions& options) {
  CLI::App app("Converts graphs, samples and tables between the formats that Kasen reads and writes");
  app.name("kasen-convert");
  app.add_option("IN", options.input, "file or directory of files to read; what it is is told from its content")
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  CLI::Option* const out = app.add_option("OUT", options.output, "file to write; its name says how")
                               ->check(kasen::given_name())
                               ->type_name("FILE");
  kasen::add_graph_options(app, options.reading);
  app.add_option("--columns", options.reading.columns, "LIBSVM: the number of features; 0: the largest index")
      ->transform(kasen::whole_number())
      ->type_name("N");
  app.add_flag("--zero-based", options.reading.zero_based, "LIBSVM: indices count from 0");
  kasen::add_choice<std::optional<Kind>>(
      app, "--as", options.kind,
      {{"auto", std::nullopt}, {"graph", Kind::graph}, {"samples", Kind::samples}, {"table", Kind::dense}},
      "what the input holds");
  kasen::add_choice<Format>(app, "--to", options.to,
                            {{"auto", Format::automatic},
                             {"edge-list", Format::edge_list},
                             {"matrix-market", Format::matrix_market},
                             {"libsvm", Format::libsvm},
                             {"table", Format::table},
                             {"hdf5", Format::hdf5}},
                            "how the output is written; auto: as its name says");
  app.add_option("--labels", options.labels, "writes the labels of samples to this file too")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_flag("--describe", options.describe, "prints what the input is, and writes nothing")->excludes(out);
  CLI::Option* const prepare = app.add_flag(
      "--prepare", options.prepare, "HDF5: puts the partition into the file, so that it loads without shuffling");
  app.add_option("--workers", options.workers, "to prepare for, or to describe the partition over; else those that run")
      ->transform(kasen::whole_number())
      ->check(CLI::Range(1, 1 << 16))
      ->type_name("N");
  std::vector<std::string> passes;
  kasen::add_planning_options(app, options.planning, passes);
  for (const char* name : {"--fusion", "--search-budget", "--sync", "--roles", "--passes", "--profile"}) {
    app.remove_option(app.get_option(name));  // nothing is planned
  }
  for (const char* name : {"--partition", "--threshold"}) app.get_option(name)->needs(prepare);
  app.add_flag("--progress", options.planning.progress, "shows on stderr what is done");
  app.add_flag("--quiet", options.planning.quiet, "prints nothing but errors");
  app.footer("Example: kasen-run -n 4 kasen-convert web.txt.gz web.h5 --prepare; kasen-convert --describe a9a");
  if (!kasen::parse(app, argc, argv, first)) return false;
  kasen::check_planning_options(app, options.planning);
  if (options.output.empty() && !options.describe) throw UsageError("OUT is required, or --describe (see --help)");
  if (options.workers && !options.prepare && !options.describe) {
    throw UsageError("--workers: is of --prepare and --describe (see --help)");
  }
  return true;
}

/// One conversion: what all of its steps need.
class Conversion {
 public:
  Conversion(const Communicator& communicator, ConvertOptions options)
      : _communicator(communicator), _options(std::move(options)), _start(now()) {}

  /// Collective.
  void run() {
    kasen::io::require_outputs(_communicator, {_options.output, _options.labels});
    if (!_options.labels.empty()) kasen::io::format_for_output(_options.labels, true);
    progress("looking at " + _options.input);
    const auto told =
        apps::convert::tell(_communicator, _options.input, _options.reading, _options.kind ? &*_options.kind : nullptr);
    _options.reading.format = told.format;
    const bool dense = told.kind == Kind::dense;
    Format to = _options.to;
    if (!_options.describe) {
      if (to == Format::automatic) to = kasen::io::format_for_output(_options.output, dense);
      if (!kasen::io::can_write(to, dense)) {
        throw UsageError(_options.output + ": " + std::string(kasen::io::name_of(to)) + " does not hold " +
                         (dense ? "tables" : "sparse matrices") + " such as " + _options.input);
      }
      if (_options.prepare && (to != Format::hdf5 || dense)) {
        throw UsageError("--prepare: only sparse matrices in HDF5 have a partition");
      }
    }
    progress("reading " + _options.input);
    if (dense) {
      table(to);
    } else {
      sparse(told, to);
    }
    progress("done");
  }

 private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void progress(const std::string& what) const {
    if (_options.planning.progress && _communicator.rank() == 0) {
      fmt::print(stderr, "{:8.2f} s  {}\n", now() - _start, kasen::printable(what));
    }
  }
  void say(const std::string& text) const {
    if (!_options.planning.quiet && _communicator.rank() == 0) std::fputs(kasen::printable_lines(text).c_str(), stdout);
  }
  /// What the output does not hold of the input.
  void note(bool is_lost, const std::string& what) const {
    if (is_lost && !_options.planning.quiet && _communicator.rank() == 0) {
      fmt::print(stderr, "note: {} holds no {}\n", kasen::printable(_options.output), what);
    }
  }
  std::string input_is(const char* what) const {
    return fmt::format("{:<14}{}, {}\n", "file", what, kasen::io::name_of(_options.reading.format));
  }

  void table(Format to) {
    const kasen::io::DenseData data =
        _options.reading.format == Format::hdf5
            ? kasen::io::read_hdf5_dense(_communicator, _options.input, _options.reading.dataset)
            : kasen::io::read_dense(_communicator, _options.input, _options.reading);
    if (_options.describe) return say(input_is("table") + apps::convert::describe(_communicator, data));
    note(!data.names.empty() && to == Format::matrix_market, "names of columns");
    progress("writing " + _options.output);
    kasen::io::write_matrix(_communicator, _options.output, to, data);
    say(fmt::format("{}: {} x {}\n", _options.output, data.rows, data.columns));
  }

  kasen::io::SparseData read(const apps::convert::Told& told) {
    const kasen::io::ValueRequest values{.stored = told.values};
    _options.reading.any_columns = !_options.describe && !_options.prepare;
    if (_options.reading.format != Format::hdf5) {
      return told.kind == Kind::graph
                 ? kasen::io::read_graph(_communicator, _options.input, _options.reading, values)
                 : kasen::io::read_samples(_communicator, _options.input, _options.reading, values);
    }
    kasen::io::SparseData data =
        kasen::io::read_hdf5_sparse(_communicator, _options.input, _options.reading.dataset, told.kind == Kind::graph);
    if (data.graph && _options.reading.drop_self_loops) kasen::io::drop_self_loops(data);
    if (data.graph && _options.reading.drop_duplicates) kasen::io::drop_duplicates(_communicator, data);
    return data;
  }

  void sparse(const apps::convert::Told& told, Format to) {
    kasen::io::SparseData data = read(told);
    const int workers = _options.workers.value_or(_communicator.size());
    if (_options.describe) {
      say(input_is(data.graph ? "graph" : "samples") + apps::convert::describe(_communicator, data, workers));
      return;
    }
    note_losses(data, to);
    if (!_options.labels.empty()) {
      if (!data.labelled) throw InputError(_options.input + ": found no labels, expected some for --labels");
      kasen::io::write_matrix(_communicator, _options.labels, kasen::io::format_for_output(_options.labels, true),
                              kasen::io::label_table(data.rows, data.labels));
    }
    const std::uint64_t entries = _communicator.sum<std::uint64_t>(data.entries.row.size());
    const std::string sizes = fmt::format("{} x {}, {} non-zeros", data.rows, data.columns, entries);
    if (_options.prepare) {
      progress(fmt::format("partitioning for {} workers", workers));
      kasen::partition::Shape shape;
      shape.rows = data.rows;
      shape.columns = data.columns;
      shape.one_space = data.graph;
      shape.column_salt = 1;
      const Owners owners = owners_from_file(data, workers);
      if (owners.rows) shape.row_owners = &*owners.rows;
      if (owners.columns) shape.column_owners = &*owners.columns;
      const auto choice =
          kasen::partition::partition_as_asked(&_communicator, _options.planning, data.entries, shape, workers);
      progress("writing " + _options.output);
      kasen::io::write_prepared(_communicator, _options.output, std::move(data), choice.partitioning);
      return say(fmt::format("{}: {}, prepared for {} workers\n", _options.output, sizes, workers));
    }
    progress("writing " + _options.output);
    kasen::io::write_matrix(_communicator, _options.output, to, std::move(data));
    say(fmt::format("{}: {}\n", _options.output, sizes));
  }

  /// Of the spaces of a matrix; none but with --partition FILE.
  struct Owners {
    std::optional<kasen::partition::Assignment> rows, columns;
  };

  /// Collective.
  Owners owners_from_file(const kasen::io::SparseData& data, int workers) const {
    if (_options.planning.partition != kasen::Partition::file) return {};
    const std::vector<kasen::Rank> owners =
        kasen::io::read_partition_file(_communicator, _options.planning.partition_file,
                                       {data.rows, data.graph ? 0 : data.columns, &data.ids}, workers);
    const std::span<const kasen::Rank> all(owners);
    Owners result;
    result.rows = kasen::partition::Assignment::table(all.first(data.rows), workers);
    if (data.graph) {
      result.columns = result.rows;
    } else if (all.size() > data.rows) {
      result.columns = kasen::partition::Assignment::table(all.subspan(data.rows), workers);
    }
    return result;
  }

  void note_losses(const kasen::io::SparseData& data, Format to) const {
    const bool ids = data.graph && data.ids.length() > 0;
    note(ids && (to == Format::matrix_market || to == Format::libsvm),
         "vertex ids: it numbers vertices in their order");
    note(data.labelled && to == Format::matrix_market && _options.labels.empty(), "labels (--labels writes them)");
    note(data.labelled && to == Format::edge_list, "labels");
    note(!data.labelled && to == Format::libsvm, "labels: all are 0");
    note(data.entries.value_bytes == 0 && to == Format::libsvm, "pattern: all values are 1");
    if (to != Format::edge_list || !data.graph) return;
    const std::uint64_t touched = touched_vertices(data);
    note(touched < data.rows,
         fmt::format("vertices without an edge: {} of {} are left out", data.rows - touched, data.rows));
  }

  /// Collective.
  std::uint64_t touched_vertices(const kasen::io::SparseData& data) const {
    const auto blocks = kasen::partition::Assignment::block(data.rows, _communicator.size());
    const auto workers = static_cast<std::size_t>(_communicator.size());
    std::vector<kasen::GlobalIndex> touched(data.entries.row);
    touched.insert(touched.end(), data.entries.column.begin(), data.entries.column.end());
    touched = kasen::partition::distinct(touched, data.rows);
    std::vector<std::uint64_t> offsets(workers + 1);
    for (std::size_t w = 0; w < workers; ++w) {
      const auto end = blocks.block_begin(static_cast<kasen::Rank>(w + 1));
      offsets[w + 1] =
          static_cast<std::uint64_t>(std::lower_bound(touched.begin(), touched.end(), end) - touched.begin());
    }
    auto received =
        _communicator.all_to_all(std::span<const kasen::GlobalIndex>(touched), std::span<const std::uint64_t>(offsets));
    return _communicator.sum<std::uint64_t>(kasen::partition::distinct(received.values, data.rows).size());
  }

  const Communicator& _communicator;
  ConvertOptions _options;
  double _start;
};

}  // namespace

int main(int argc, char** argv) {
  const kasen::comm::Environment environment;
  const Communicator communicator;
  ConvertOptions options;
  if (parse(argc, argv, communicator.rank() == 0, options)) Conversion(communicator, std::move(options)).run();
  return 0;
}
