/// @file
/// kasen-convert: any file that Kasen reads to any that it writes, by all workers together, or what a file is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/convert/describe.h"
#include "comm/environment.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/base/steady_time.h"
#include "kasen/input_options.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/io/formats/formats.h"
#include "kasen/io/formats/partition_file.h"
#include "kasen/io/formats/read.h"
#include "kasen/io/formats/table.h"
#include "kasen/io/formats/tell.h"
#include "kasen/io/formats/write.h"
#include "kasen/option_values.h"
#include "kasen/session/command_line.h"
#include "partition/choose.h"

namespace {

using kasen::InputError;
using kasen::UsageError;
using kasen::comm::Communicator;
using kasen::io::Format;
using kasen::io::Kind;
using kasen::io::Told;

struct ConvertOptions {
  std::string input, output, labels;
  kasen::io::ReadOptions reading;
  std::optional<Kind> kind;
  std::string to = "auto";
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
  kasen::add_graph_options(app, options.reading, kasen::io::kAllKinds);
  app.add_option("--columns", options.reading.columns, "LIBSVM: the number of features; 0: the largest index")
      ->transform(kasen::whole_number())
      ->type_name("N");
  app.add_flag("--zero-based", options.reading.zero_based, "LIBSVM: indices count from 0");
  kasen::add_choice<std::optional<Kind>>(
      app, "--as", options.kind,
      {{"auto", std::nullopt}, {"graph", Kind::graph}, {"samples", Kind::samples}, {"table", Kind::dense}},
      "what the input holds");
  kasen::add_choice(app, "--to", options.to, kasen::io::output_format_names(),
                    "how the output is written; auto: as its name says");
  app.add_option("--labels", options.labels, "writes the labels of samples to this file too")
      ->check(kasen::given_name())
      ->type_name("FILE");
  CLI::Option* const describe =
      app.add_flag("--describe", options.describe, "prints what the input is, and writes nothing")->excludes(out);
  CLI::Option* const prepare = app.add_flag(
      "--prepare", options.prepare, "HDF5: puts the partition into the file, so that it loads without shuffling");
  app.add_option("--workers", options.workers, "to prepare for, or to describe the partition over; else those that run")
      ->transform(kasen::whole_number())
      ->check(CLI::Range(1, 1 << 16))
      ->type_name("N");
  std::vector<std::string> passes;
  kasen::add_planning_options(app, options.planning, passes);
  for (const char* name : {"--threads", "--fusion", "--search-budget", "--sync", "--roles", "--storage", "--numbering",
                           "--overlap", "--routes", "--passes", "--profile"}) {
    app.remove_option(app.get_option(name));  // nothing is planned, and there are no sweeps
  }
  for (const char* name : {"--partition", "--threshold"}) app.get_option(name)->needs(prepare);
  app.add_flag("--progress", options.planning.progress, "shows on stderr what is done");
  app.add_flag("--quiet", options.planning.quiet, "prints nothing but errors");
  for (const char* name : {"--to", "--labels", "--prepare"}) app.get_option(name)->excludes(describe);
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
      : _communicator(communicator), _options(std::move(options)), _start(kasen::now()) {}

  /// Collective.
  void run() {
    kasen::io::require_outputs(_communicator, {_options.output, _options.labels});
    if (!_options.labels.empty()) kasen::io::format_for_output(_options.labels, true);
    progress("looking at " + _options.input);
    const Told told = kasen::io::tell(_communicator, _options.input, _options.reading, _options.kind);
    if (_options.reading.format == "auto") _options.reading.format = told.format->name;
    if (told.format->binary) _options.reading.allow_non_finite = true;
    const bool dense = told.content.kind == Kind::dense;
    if (dense) require_labels(false);
    if (dense && _options.workers) throw UsageError("--workers: a table is not partitioned (see --help)");
    if (told.content.kind != Kind::graph) require_no_graph_options();
    if (!_options.describe) choose_format(dense);
    progress("reading " + _options.input);
    if (dense) {
      table(*told.format);
    } else {
      sparse(told);
    }
    progress("done");
  }

 private:
  /// Where they are asked for.
  void require_labels(bool there) const {
    if (!_options.labels.empty() && !there)
      throw InputError(_options.input + ": found no labels, expected some for --labels");
  }
  void require_no_graph_options() const {
    const kasen::io::ReadOptions& given = _options.reading;
    const char* const option = given.drop_duplicates   ? "--drop-duplicates"
                               : given.drop_self_loops ? "--drop-self-loops"
                               : given.ignore_weights  ? "--ignore-weights"
                                                       : nullptr;
    if (option == nullptr) return;
    throw UsageError(fmt::format("{}: is of graphs, and {} is none; --as says what it holds", option, _options.input));
  }
  /// Of the output.
  void choose_format(bool dense) {
    _to = _options.to == "auto" ? &kasen::io::format_for_output(_options.output, dense)
                                : kasen::io::find_format(_options.to);
    if (!_to->writes(dense)) {
      throw UsageError(_options.output + ": " + std::string(_to->name) + " does not hold " +
                       (dense ? "tables" : "sparse matrices") + " such as " + _options.input);
    }
    if (_options.prepare && (dense || _to->write_prepared == nullptr)) {
      std::vector<std::string_view> prepared;
      for (const Format& format : kasen::io::formats()) {
        if (format.write_prepared != nullptr) prepared.push_back(format.expected);
      }
      throw UsageError("--prepare: only sparse matrices in " + kasen::io::one_of(prepared) + " have a partition");
    }
  }

  void progress(const std::string& what) const {
    if (_options.planning.progress && !_options.planning.quiet && _communicator.rank() == 0) {
      fmt::print(stderr, "{:8.2f} s  {}\n", kasen::now() - _start, kasen::printable(what));
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
  static std::string input_is(const char* what, const Format& format) {
    return fmt::format("{:<14}{}, {}\n", "file", what, format.name);
  }

  void table(const Format& from) {
    const kasen::io::DenseData data = kasen::io::read_dense(_communicator, _options.input, _options.reading);
    if (_options.describe) return say(input_is("table", from) + apps::convert::describe(_communicator, data));
    note(!data.names.empty() && _to->loses.names_of_columns, "names of columns");
    progress("writing " + _options.output);
    kasen::io::write_matrix(_communicator, _options.output, *_to, data);
    say(fmt::format("{}: {} x {}\n", _options.output, data.rows, data.columns));
  }

  kasen::io::SparseData read(const kasen::io::Content& content) {
    const kasen::io::ValueRequest values{.stored = content.values};
    _options.reading.any_columns = !_options.describe && !_options.prepare;
    return content.kind == Kind::graph
               ? kasen::io::read_graph(_communicator, _options.input, _options.reading, values)
               : kasen::io::read_samples(_communicator, _options.input, _options.reading, values);
  }

  void sparse(const Told& told) {
    kasen::io::SparseData data = read(told.content);
    const int workers = _options.workers.value_or(_communicator.size());
    if (_options.describe) {
      say(input_is(data.graph ? "graph" : "samples", *told.format) +
          apps::convert::describe(_communicator, data, workers));
      return;
    }
    note_losses(data);
    require_labels(data.labelled);
    const std::vector<double> labels = _options.labels.empty() ? std::vector<double>() : data.labels;
    const auto write_labels = [&, rows = data.rows] {
      if (_options.labels.empty()) return;
      kasen::io::write_matrix(_communicator, _options.labels, kasen::io::format_for_output(_options.labels, true),
                              kasen::io::label_table(rows, labels));
    };
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
      _to->write_prepared(_communicator, _options.output, std::move(data), choice.partitioning);
      write_labels();
      return say(fmt::format("{}: {}, prepared for {} workers\n", _options.output, sizes, workers));
    }
    progress("writing " + _options.output);
    kasen::io::write_matrix(_communicator, _options.output, *_to, std::move(data));
    write_labels();
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

  void note_losses(const kasen::io::SparseData& data) const {
    const kasen::io::Losses& loses = _to->loses;
    note(data.graph && data.ids.length() > 0 && loses.vertex_ids, "vertex ids: it numbers vertices in their order");
    note(data.labelled && loses.labels && _options.labels.empty(), "labels (--labels writes them)");
    note(!data.labelled && loses.unlabelled, "labels: all are 0");
    note(data.entries.value_bytes == 0 && loses.patterns, "pattern: all values are 1");
    if (loses.last_columns) {
      kasen::GlobalIndex columns = 0;  // up to the last entry
      for (const kasen::GlobalIndex column : data.entries.column) columns = std::max(columns, column + 1);
      const auto left = data.columns - static_cast<std::uint64_t>(_communicator.max(columns));
      note(left > 0, fmt::format("columns behind the last value: {} of {} are left out", left, data.columns));
    }
    if (!loses.lone_vertices || !data.graph) return;
    const std::uint64_t touched = touched_vertices(data);
    note(touched < data.rows,
         fmt::format("vertices without an edge: {} of {} are left out", data.rows - touched, data.rows));
  }

  /// Collective.
  std::uint64_t touched_vertices(const kasen::io::SparseData& data) const {
    const auto blocks = kasen::partition::Assignment::block(data.rows, _communicator.size());
    const auto workers = static_cast<std::size_t>(_communicator.size());
    std::vector<kasen::GlobalIndex> touched = data.entries.row.copy();
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
  const Format* _to = nullptr;  ///< none while a file is described
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
