/// @file
/// K-means of points of any dimension.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <cmath>

#include "apps/common/centre_options.h"
#include "apps/common/stopping.h"
#include "apps/common/verdict.h"
#include "apps/kmeans/kmeans.h"
#include "apps/kmeans/verify.h"
#include "kasen/input_options.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

enum class Form : std::uint8_t { automatic, elements, rows };

struct KMeansOptions {
  std::string points;
  apps::CentreOptions centres{"--clusters", {}, "kmeans++", {}, {}};
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
  options.centres.add_options(app);
  options.stopping.tolerance = 1e-4;
  options.stopping.add_options(app, "stops when no centre moves by more");
  kasen::add_choice<Form>(app, "--form", options.form,
                          {{"auto", Form::automatic}, {"elements", Form::elements}, {"rows", Form::rows}},
                          "points as elements of a vector (one column) or as rows; auto: elements, if there "
                          "are one column and at most 32 clusters");
  kasen::add_input_options(app, options.input, kasen::kTables);
  app.footer("Example: kasen-run -n 4 kmeans --points points.csv --clusters 15 --output clusters.h5");
}

struct Input {
  std::optional<kasen::Rows<double>> rows;  ///< one of both
  std::optional<kasen::Vector<double>> numbers;
  std::vector<double> centres;
};

/// The table, which is as large as the points, is forgotten here.
Input read_input(const KMeansOptions& options) {
  const auto chosen = options.centres.choice();
  const kasen::Table table = apps::read_points(options.points, options.input);
  options.centres.require_enough(table.rows().length(), options.points);
  if (options.form == Form::elements && table.columns() != 1) {
    throw kasen::InputError(
        fmt::format("{}: expected one column for --form elements, found {}", options.points, table.columns()));
  }
  Input input;
  if (!chosen) input.centres = options.centres.from_file(table.columns());
  const std::uint64_t k = chosen ? *options.centres.count : input.centres.size() / table.columns();
  const bool elements = table.columns() == 1 && k <= kFewCentres;
  if (options.form == Form::elements || (options.form == Form::automatic && elements)) {
    input.numbers = table.column(0);
  } else {
    input.rows.emplace(table.as_rows());
  }
  if (chosen) {
    input.centres =
        apps::chosen_centres(*chosen, table, k, options.centres.seed.value_or(1), input.rows ? &*input.rows : nullptr,
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
  const std::size_t clusters = input.rows ? input.centres.size() / input.rows->width() : input.centres.size();
  session.print(fmt::format("{} points, {} cluster{}, {} worker{}, {} iterations, inertia {:.9g}, last shift {:.3g}\n",
                            n, clusters, clusters == 1 ? "" : "s", session.workers(), session.workers() == 1 ? "" : "s",
                            iterations, inertia, result.shift.get()));
  return 0;
}
