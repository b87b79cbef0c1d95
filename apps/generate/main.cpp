/// @file
/// kasen-generate: graphs, samples, points, options and tables of any size, made by all workers together, the same data
/// for any number of them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>

#include "apps/generate/graphs.h"
#include "apps/generate/tables.h"
#include "apps/generate/tpch.h"
#include "comm/agreement.h"
#include "comm/environment.h"
#include "kasen/base/error.h"
#include "kasen/base/printable.h"
#include "kasen/io/bytes/output_names.h"
#include "kasen/io/formats/table.h"
#include "kasen/io/formats/write.h"
#include "kasen/option_values.h"
#include "kasen/session/command_line.h"

namespace {

namespace generate = apps::generate;
using kasen::UsageError;
using kasen::comm::Communicator;

struct GenerateOptions {
  std::string output, labels, weights;
  bool dense = false;   ///< what goes to `output` is a table
  bool folder = false;  ///< `output` is a folder of tables
  bool progress = false, quiet = false;
  generate::Rmat rmat;
  generate::PowerLaw power_law;
  generate::Grid grid;
  generate::Weights edge_weights;
  generate::LinearModel model;
  std::optional<double> noise;
  generate::Clusters clusters;
  generate::OptionData option_data;
  generate::Tpch tpch;
  std::function<void(const Communicator&, const GenerateOptions&)> run;
};

/// Collective. Checks the names and formats of all outputs, before anything is made.
void require_outputs(const Communicator& communicator, const GenerateOptions& options) {
  if (options.folder) return;  // its files have names of their own
  kasen::io::format_for_output(options.output, options.dense);
  for (const std::string& path : {options.labels, options.weights}) {
    if (!path.empty()) kasen::io::format_for_output(path, true);
  }
  kasen::io::require_outputs(communicator, {options.output, options.labels, options.weights});
}

void say(const Communicator& communicator, bool wanted, std::FILE* to, const std::string& text) {
  if (wanted && communicator.rank() == 0) std::fputs(kasen::printable_lines(text).c_str(), to);
}

void write(const Communicator& communicator, const GenerateOptions& options, kasen::io::SparseData data) {
  const auto& format = kasen::io::format_for_output(options.output, false);
  const std::uint64_t entries = communicator.sum<std::uint64_t>(data.entries.row.size());
  const std::string what = data.graph ? fmt::format("{} vertices, {} edges", data.rows, entries)
                                      : fmt::format("{} x {}, {} non-zeros", data.rows, data.columns, entries);
  say(communicator, options.progress && !options.quiet, stderr, fmt::format("writing {}\n", options.output));
  kasen::io::write_matrix(communicator, options.output, format, std::move(data));
  say(communicator, !options.quiet, stdout, fmt::format("{}: {}\n", options.output, what));
}

void write(const Communicator& communicator, const GenerateOptions& options, const std::string& path,
           const kasen::io::DenseData& data) {
  if (path.empty()) return;
  say(communicator, options.progress && !options.quiet, stderr, fmt::format("writing {}\n", path));
  kasen::io::write_matrix(communicator, path, kasen::io::format_for_output(path, true), data);
  say(communicator, !options.quiet, stdout, fmt::format("{}: {} x {}\n", path, data.rows, data.columns));
}

/// Collective. What `make` makes; a worker that cannot, for want of memory, says so for all.
template <class Make>
auto made(const Communicator& communicator, Make&& make) {
  decltype(make()) result;
  kasen::comm::agree(communicator, [&] { result = make(); });
  return result;
}

/// Whole numbers from `least` to `most`.
CLI::Option* number(CLI::App& app, const std::string& name, std::uint64_t& variable, std::uint64_t least,
                    std::uint64_t most, const std::string& help) {
  const auto within = [=](std::string& text) {
    const std::uint64_t value = std::stoull(text);
    if (value >= least && value <= most) return std::string();
    return fmt::format("{} is not from {} to {}", value, least, most);
  };
  return app.add_option(name, variable, help)
      ->transform(kasen::whole_number())
      ->check(CLI::Validator(within, "", "range"))
      ->type_name("N")
      ->capture_default_str();
}

constexpr std::uint64_t kMost = std::uint64_t{1} << 40;

CLI::App* subcommand(CLI::App& app, GenerateOptions& options, const std::string& name, const std::string& help) {
  CLI::App* const kind = app.add_subcommand(name, help);
  kind->add_option("OUT", options.output, "the file to write; its name says how")
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  kind->add_flag("--progress", options.progress, "shows on stderr what is done");
  kind->add_flag("--quiet", options.quiet, "prints nothing but errors");
  return kind;
}

CLI::App* subcommand(CLI::App& app, GenerateOptions& options, const std::string& name, const std::string& help,
                     std::uint64_t& seed) {
  CLI::App* const kind = subcommand(app, options, name, help);
  kind->add_option("--seed", seed, "other data for every seed")
      ->transform(kasen::whole_number())
      ->type_name("N")
      ->capture_default_str();
  return kind;
}

/// Values of edges start from what other random numbers of the kind start from.
CLI::Option* add_edge_weights(CLI::App& kind, GenerateOptions& options) {
  return number(kind, "--max-weight", options.edge_weights.most, 1, std::uint64_t{1} << 53,
                "gives edges weights, whole numbers from 1 to N; without it they have none")
      ->default_str("");
}

void add_rmat(CLI::App& app, GenerateOptions& options) {
  CLI::App* const kind = subcommand(app, options, "rmat", "R-MAT graph, by default as in Graph500", options.rmat.seed);
  number(*kind, "--scale", options.rmat.scale, 0, 40, "2^N vertices");
  number(*kind, "--edge-factor", options.rmat.edge_factor, 0, 1 << 20, "edges a vertex");
  const auto probability = kasen::number_between(0, 1, "from 0 to 1");
  kind->add_option("--a", options.rmat.a, "probability of the quadrant of bits 0, 0")
      ->check(probability)
      ->capture_default_str();
  kind->add_option("--b", options.rmat.b, "of 0, 1")->check(probability)->capture_default_str();
  kind->add_option("--c", options.rmat.c, "of 1, 0; the rest is of 1, 1")->check(probability)->capture_default_str();
  kind->add_flag("--in-order", options.rmat.in_order, "leaves vertices of many edges in front");
  add_edge_weights(*kind, options);
  kind->callback([&options] {
    if (options.rmat.a + options.rmat.b + options.rmat.c > 1) {
      throw UsageError("--a, --b and --c: together they are more than 1");
    }
    options.edge_weights.seed = options.rmat.seed;
    options.run = [](const Communicator& communicator, const GenerateOptions& given) {
      write(communicator, given,
            made(communicator, [&] { return generate::rmat(communicator, given.rmat, given.edge_weights); }));
    };
  });
}

void add_power_law(CLI::App& app, GenerateOptions& options) {
  CLI::App* const kind =
      subcommand(app, options, "power-law", "graph whose degrees follow power laws", options.power_law.seed);
  number(*kind, "--vertices", options.power_law.vertices, 1, kMost, "vertices");
  number(*kind, "--edges", options.power_law.edges, 0, kMost, "edges");
  const auto exponent = kasen::number_between(2.01, 100, "from 2.01 to 100");
  kind->add_option("--out-exponent", options.power_law.out_exponent, "of out-degrees")
      ->check(exponent)
      ->capture_default_str();
  kind->add_option("--in-exponent", options.power_law.in_exponent, "of in-degrees")
      ->check(exponent)
      ->capture_default_str();
  add_edge_weights(*kind, options);
  kind->callback([&options] {
    options.edge_weights.seed = options.power_law.seed;
    options.run = [](const Communicator& communicator, const GenerateOptions& given) {
      write(communicator, given,
            made(communicator, [&] { return generate::power_law(communicator, given.power_law, given.edge_weights); }));
    };
  });
}

void add_grid(CLI::App& app, GenerateOptions& options) {
  CLI::App* const kind =
      subcommand(app, options, "grid", "graph of a grid, such as streets: an edge each way between neighbours",
                 options.edge_weights.seed);
  number(*kind, "--rows", options.grid.rows, 1, kMost, "vertices from top to bottom");
  number(*kind, "--columns", options.grid.columns, 1, kMost, "vertices from left to right");
  kind->get_option("--seed")->needs(add_edge_weights(*kind, options));  // nothing else is random
  kind->callback([&options] {
    if (options.grid.rows > kMost / options.grid.columns) {
      throw UsageError(fmt::format("--rows and --columns: more than {} vertices", kMost));
    }
    options.run = [](const Communicator& communicator, const GenerateOptions& given) {
      write(communicator, given,
            made(communicator, [&] { return generate::grid(communicator, given.grid, given.edge_weights); }));
    };
  });
}

void add_linear_model(CLI::App& app, GenerateOptions& options) {
  generate::LinearModel& model = options.model;
  CLI::App* const kind = subcommand(app, options, "sparse",
                                    "samples with few non-zeros, and labels from a planted linear model", model.seed);
  number(*kind, "--rows", model.rows, 0, kMost, "samples");
  number(*kind, "--columns", model.columns, 1, kMost, "features");
  number(*kind, "--per-row", model.per_row, 0, 1 << 20, "non-zeros a sample");
  kasen::add_choice<bool>(*kind, "--model", model.logistic, {{"logistic", true}, {"least-squares", false}},
                          "labels 1 and -1, or numbers");
  kind->add_option(
          "--noise", options.noise,
          "times logistic numbers (1 by default), or times normal ones (0.1), is added to what labels come from")
      ->check(kasen::number_between(0, 1e9, "a number from 0"))
      ->type_name("NUMBER");
  kind->add_option("--weights", options.weights, "writes the planted model too")
      ->check(kasen::given_name())
      ->type_name("FILE");
  kind->callback([&options, &model] {
    if (model.per_row > model.columns) throw UsageError("--per-row: there are fewer columns");
    model.noise = options.noise.value_or(model.logistic ? 1 : 0.1);
    options.run = [](const Communicator& communicator, const GenerateOptions& given) {
      write(communicator, given, made(communicator, [&] { return generate::linear_model(communicator, given.model); }));
      write(communicator, given, given.weights,
            made(communicator, [&] { return generate::planted_weights(communicator, given.model); }));
    };
  });
}

void add_clusters(CLI::App& app, GenerateOptions& options) {
  CLI::App* const kind =
      subcommand(app, options, "clusters", "points around centres in the unit cube", options.clusters.seed);
  number(*kind, "--rows", options.clusters.rows, 0, kMost, "points");
  number(*kind, "--columns", options.clusters.columns, 1, 1 << 20, "dimensions");
  number(*kind, "--clusters", options.clusters.clusters, 1, 1 << 30, "centres");
  kind->add_option("--spread", options.clusters.spread, "standard deviation in each dimension")
      ->check(kasen::number_between(0, 1e9, "a number from 0"))
      ->capture_default_str();
  kind->add_option("--labels", options.labels, "writes the number of each point's cluster too")
      ->check(kasen::given_name())
      ->type_name("FILE");
  kind->callback([&options] {
    options.dense = true;
    options.run = [](const Communicator& communicator, const GenerateOptions& given) {
      auto points = made(communicator, [&] { return generate::clusters(communicator, given.clusters); });
      write(communicator, given, given.output, points.points);
      write(communicator, given, given.labels, kasen::io::label_table(points.points.rows, std::move(points.labels)));
    };
  });
}

void add_options(CLI::App& app, GenerateOptions& options) {
  CLI::App* const kind =
      subcommand(app, options, "options", "European options: a table of their data", options.option_data.seed);
  number(*kind, "--rows", options.option_data.rows, 0, kMost, "options");
  kind->callback([&options] {
    options.dense = true;
    options.run = [](const Communicator& communicator, const GenerateOptions& given) {
      write(communicator, given, given.output,
            made(communicator, [&] { return generate::option_data(communicator, given.option_data); }));
    };
  });
}

void add_tpch(CLI::App& app, GenerateOptions& options) {
  CLI::App* const kind = subcommand(app, options, "tpch",
                                    "tables of orders after TPC-H: OUT is a folder, for CSV files", options.tpch.seed);
  kind->get_option("OUT")->description("the folder to write to")->type_name("FOLDER");
  kind->add_option("--scale", options.tpch.scale, "1: 6 million items of 1.5 million orders by 150,000 customers")
      ->check(kasen::number_between(1e-6, 1e6, "from 0.000001 to 1000000"))
      ->capture_default_str();
  kind->callback([&options] {
    options.folder = true;
    options.run = [](const Communicator& communicator, const GenerateOptions& given) {
      const generate::TpchRows rows = generate::write_tpch(communicator, given.output, given.tpch);
      say(communicator, !given.quiet, stdout,
          fmt::format("{}: {} customers, {} orders, {} items\n", given.output, rows.customers, rows.orders,
                      rows.items));
    };
  });
}

void run(int argc, char** argv, const Communicator& communicator) {
  CLI::App app("Makes data of any size, by all workers together; the same data for any number of workers");
  app.name("kasen-generate");
  app.require_subcommand(1);
  GenerateOptions options;
  add_rmat(app, options);
  add_power_law(app, options);
  add_grid(app, options);
  add_linear_model(app, options);
  add_clusters(app, options);
  add_options(app, options);
  add_tpch(app, options);
  app.footer(
      "Example: kasen-run -n 4 kasen-generate rmat graph.h5 --scale 22; kasen-generate KIND --help shows its options");
  if (!kasen::parse(app, argc, argv, communicator.rank() == 0)) return;
  require_outputs(communicator, options);
  say(communicator, options.progress && !options.quiet, stderr, "making the data\n");
  options.run(communicator, options);
}

}  // namespace

int main(int argc, char** argv) {
  const kasen::comm::Environment environment;
  const Communicator communicator;
  run(argc, argv, communicator);
  return 0;
}
