/// @file
/// K-means of points of any dimension.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <cmath>

#include "apps/common/stopping.h"
#include "apps/common/verdict.h"
#include "apps/kmeans/initial_centres.h"
#include "apps/kmeans/kmeans.h"
#include "apps/kmeans/verify.h"
#include "kasen/input_options.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

enum class Form : std::uint8_t { automatic, elements, rows };

struct KMeansOptions {
  std::string points, init = "kmeans++";
  std::optional<std::uint64_t> clusters;
  std::string init_dataset;
  std::optional<std::uint64_t> seed;
  apps::Stopping stopping;
  Form form = Form::automatic;
  kasen::ReadOptions input;
};

/// The operations of the elements form are as many as centres.
constexpr std::uint64_t kFewCentres = 32;

void add_options(CLI::App& app, KMeansOptions& options) {
  app.add_option("--points", options.points, "points, one a row: " + kasen::table_formats())
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  app.add_option("--clusters", options.clusters, "how many; needed unless --init is a file")
      ->transform(kasen::whole_number(1))
      ->type_name("K");
  app.add_option("--init", options.init, "first centres: chosen among the points, or a table of them")
      ->check(kasen::given_name())
      ->type_name("kmeans++|random|first|FILE")
      ->capture_default_str();
  app.add_option("--init-dataset", options.init_dataset, "HDF5: which dataset of the --init file to read")
      ->type_name("NAME");
  app.add_option("--seed", options.seed, "of what --init kmeans++ and random draw")
      ->transform(kasen::whole_number())
      ->type_name("N")
      ->default_str("1");
  options.stopping.tolerance = 1e-4;
  options.stopping.add_options(app, "stops when no centre moves by more");
  kasen::add_choice<Form>(app, "--form", options.form,
                          {{"auto", Form::automatic}, {"elements", Form::elements}, {"rows", Form::rows}},
                          "points as elements of a vector (one column) or as rows; auto: elements, if there "
                          "are one column and at most 32 clusters");
  kasen::add_input_options(app, options.input);
  app.footer("Example: kasen-run -n 4 kmeans --points points.csv --clusters 15 --output clusters.h5");
}

std::optional<apps::CentreChoice> choice(const KMeansOptions& options) {
  if (kasen::Session::current().options().analyze && options.clusters)
    return apps::CentreChoice::first;  // without a step
  if (options.init == "kmeans++") return apps::CentreChoice::plus_plus;
  if (options.init == "random") return apps::CentreChoice::random;
  if (options.init == "first") return apps::CentreChoice::first;
  return std::nullopt;
}

/// @throws InputError
std::vector<double> centres_of_file(const KMeansOptions& options, std::uint64_t columns) {
  kasen::ReadOptions input;
  input.dataset = options.init_dataset;
  std::vector<double> centres = apps::centres_of_file(options.init, input, columns);
  const std::uint64_t found = centres.size() / columns;
  if (options.clusters && *options.clusters != found) {
    throw kasen::InputError(
        fmt::format("{}: expected {} centres, as --clusters says, found {}", options.init, *options.clusters, found));
  }
  return centres;
}

struct Input {
  std::optional<kasen::Rows<double>> rows;  ///< one of both
  std::optional<kasen::Vector<double>> numbers;
  std::vector<double> centres;
};

/// The table, which is as large as the points, is forgotten here.
Input read_input(const KMeansOptions& options) {
  const auto chosen = choice(options);
  if (chosen && !options.clusters) throw kasen::UsageError("--clusters is needed, unless --init is a file");
  if (chosen && !options.init_dataset.empty())
    throw kasen::UsageError("--init-dataset: is of --init FILE, which is not asked for");
  if (options.seed && options.init != "kmeans++" && options.init != "random")
    throw kasen::UsageError("--seed: is of --init kmeans++ and random, which draw");
  const kasen::Table table = kasen::read_table(options.points, options.input);
  if (options.form == Form::elements && table.columns() != 1) {
    throw kasen::InputError(
        fmt::format("{}: expected one column for --form elements, found {}", options.points, table.columns()));
  }
  if (table.columns() == 0)
    throw kasen::InputError(options.points + ": expected points, found a table without columns");
  if (table.rows().length() == 0) throw kasen::InputError(options.points + ": expected points, found none");
  Input input;
  if (!chosen) input.centres = centres_of_file(options, table.columns());
  const std::uint64_t k = chosen ? *options.clusters : input.centres.size() / table.columns();
  if (chosen && k > table.rows().length()) {
    throw kasen::InputError(fmt::format("{}: expected at least {} points, as many as clusters, found {}",
                                        options.points, k, table.rows().length()));
  }
  const bool elements = table.columns() == 1 && k <= kFewCentres;
  if (options.form == Form::elements || (options.form == Form::automatic && elements)) {
    input.numbers = table.column(0);
  } else {
    input.rows.emplace(table.as_rows());
  }
  if (chosen) {
    input.centres =
        apps::chosen_centres(*chosen, table, k, options.seed.value_or(1), input.rows ? &*input.rows : nullptr,
                             input.numbers ? &*input.numbers : nullptr);
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("K-means of points of any dimension, by all workers together");
  KMeansOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);

  const Input input = read_input(options);
  session.expect_iterations(options.stopping.most());
  const apps::Clustering result = input.numbers
                                      ? apps::kmeans_of_numbers(*input.numbers, input.centres, options.stopping)
                                      : apps::kmeans_of_rows(*input.rows, input.centres, options.stopping);
  const double inertia = result.inertia.get();
  if (!std::isfinite(inertia))
    throw kasen::InputError(options.points + ": the squared distances between these points are no finite numbers");
  const std::uint64_t n = result.labels.length(), iterations = session.counts().iterations;

  std::optional<kasen::Output> output;
  if (!session.options().output.empty()) {
    output.emplace(session.options().output);
    const std::uint64_t columns = input.numbers ? 1 : input.rows->width();
    output->add("labels", result.labels).add("centroids", std::span(result.centres), columns);
    output->attribute("inertia", inertia);
  }
  if (session.options().verify) {
    const apps::ClusteringError error = apps::clustering_error(options.points, options.input, result.centres,
                                                               iterations > 0 ? result.previous : std::vector<double>(),
                                                               kasen::block_values(result.labels), inertia);
    apps::verdict(error.holds(), fmt::format("labels off by {:.2g}, inertia by {:.2g}, centres by {:.2g}", error.label,
                                             error.inertia, error.centre));
  }
  if (output) output->commit();
  session.print(fmt::format("{} points, {} clusters, {} worker{}, {} iterations, inertia {:.9g}, last shift {:.3g}\n",
                            n, input.rows ? input.centres.size() / input.rows->width() : input.centres.size(),
                            session.workers(), session.workers() == 1 ? "" : "s", iterations, inertia,
                            result.shift.get()));
  return 0;
}
