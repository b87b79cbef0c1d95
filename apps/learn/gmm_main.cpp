/// @file
/// The command line of Gaussian mixtures.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "apps/common/centre_options.h"
#include "apps/common/model_file.h"
#include "apps/common/verdict.h"
#include "apps/learn/gmm.h"
#include "apps/learn/verify_gmm.h"
#include "kasen/input_options.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct GmmOptions {
  std::string points, predict, model;
  apps::CentreOptions centres{"--components", {}, "kmeans++", {}, {}};
  apps::Mixing mixing;
  kasen::ReadOptions input;
};

void add_options(CLI::App& app, GmmOptions& options) {
  app.add_option("--points", options.points, "points, one a row: " + kasen::table_formats())
      ->check(kasen::given_name())
      ->type_name("FILE");
  options.centres.add_options(app);
  app.add_option("--least-variance", options.mixing.least_variance,
                 "variances are at least this part of that of their column")
      ->check(kasen::number_between(1e-12, 1, "a number from 1e-12 to 1"))
      ->type_name("NUMBER")
      ->capture_default_str();
  options.mixing.stopping.tolerance = 1e-4;
  options.mixing.stopping.add_options(app, "stops when the log-likelihood per point grows by no more");
  app.add_option("--predict", options.predict, "further points: prints their log-likelihood")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--model", options.model, "instead of --points: predicts with what --output has written to HDF5")
      ->check(kasen::given_name())
      ->type_name("FILE");
  kasen::add_input_options(app, options.input, kasen::kTables);
  for (const char* name : {"--components", "--init", "--init-dataset", "--seed", "--least-variance", "--tolerance",
                           "--max-iterations", "--iterations"}) {
    app.get_option("--model")->excludes(app.get_option(name));  // which says how it was made
  }
  app.footer("Example: kasen-run -n 4 gmm --points points.csv --components 15 --output mixture.h5");
}

void check(const GmmOptions& options) {
  if (options.points.empty() == options.model.empty()) throw kasen::UsageError("expected either --points or --model");
  if (!options.model.empty() && options.predict.empty()) throw kasen::UsageError("--model needs --predict");
}

apps::Components load(const std::string& path) {
  apps::Components loaded{apps::read_numbers(path, "weights"), apps::read_numbers(path, "means"),
                          apps::read_numbers(path, "variances")};
  const std::size_t k = loaded.weights.size();
  if (k == 0 || loaded.means.empty() || loaded.means.size() % k != 0 || loaded.variances.size() != loaded.means.size())
    throw kasen::InputError(path + ": weights, means and variances do not fit together");
  const auto none_below = [](const std::vector<double>& all, double least) {
    return std::all_of(all.begin(), all.end(), [least](double x) { return x >= least; });
  };
  if (!none_below(loaded.weights, 0) || !none_below(loaded.variances, 1e-300))
    throw kasen::InputError(path + ": there are weights or variances that are negative or no numbers");
  return loaded;
}

void predict(const GmmOptions& options, const apps::Components& components) {
  const kasen::Table table = apps::read_points(options.predict, options.input);
  const std::uint64_t columns = components.means.size() / components.weights.size();
  if (table.columns() != columns) {
    throw kasen::InputError(fmt::format("{}: expected points of {} column{}, found {}", options.predict, columns,
                                        columns == 1 ? "" : "s", table.columns()));
  }
  const double sum = apps::log_likelihood(table.as_rows(), components);
  const std::uint64_t n = table.rows().length();
  kasen::Session::current().print(fmt::format("{}: {} points, log-likelihood {:.9g}, {:.9g} a point\n", options.predict,
                                              n, sum, sum / static_cast<double>(n)));
}

/// The table, which is as large as the points, is forgotten here.
kasen::Rows<double> read_input(const GmmOptions& options, std::vector<double>& means) {
  const auto chosen = options.centres.choice();
  const kasen::Table table = apps::read_points(options.points, options.input);
  options.centres.require_enough(table.rows().length(), options.points);
  const kasen::Rows<double> points = table.as_rows();
  means = chosen ? apps::chosen_centres(*chosen, table, *options.centres.count, options.centres.seed.value_or(1),
                                        &points, nullptr)
                 : options.centres.from_file(table.columns());
  return points;
}

void write(const std::string& path, const apps::Mixture& mixture) {
  const std::uint64_t k = mixture.components.weights.size();
  const std::uint64_t columns = mixture.components.means.size() / k;
  kasen::Output output(path);
  output.add("labels", mixture.labels).add("weights", mixture.components.weights);
  output.add("means", mixture.components.means, columns).add("variances", mixture.components.variances, columns);
  output.attribute("log_likelihood", mixture.log_likelihood).commit();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Mixtures of Gaussians with diagonal covariances, by expectation maximisation");
  GmmOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  check(options);
  if (!options.model.empty()) {
    if (!session.options().output.empty() || session.options().verify)
      throw kasen::UsageError("--model goes with neither --output nor --verify");
    predict(options, load(options.model));
    return 0;
  }

  std::vector<double> means;
  const kasen::Rows<double> points = read_input(options, means);
  session.expect_iterations(options.mixing.stopping.most());
  const apps::Mixture mixture = apps::gmm(points, means, options.mixing);
  const std::uint64_t n = points.length(), iterations = session.counts().iterations;
  if (!std::isfinite(mixture.log_likelihood))
    throw kasen::InputError(options.points + ": the log-likelihood of these points is no finite number");
  if (session.options().verify) {
    const apps::MixtureClaim claim{mixture.components, mixture.previous, iterations > 0,
                                   kasen::block_values(mixture.labels), mixture.log_likelihood};
    const apps::MixtureError error = apps::mixture_error(options.points, options.input, options.mixing, claim);
    apps::verdict(error.holds(), fmt::format("log-likelihood off by {:.2g}, labels by {:.2g}, components by {:.2g}",
                                             error.likelihood, error.label, error.component));
  }
  if (!options.predict.empty()) predict(options, mixture.components);
  if (!session.options().output.empty()) write(session.options().output, mixture);
  session.print(
      fmt::format("{} points, {} components, {} worker{}, {} iterations, log-likelihood {:.9g}, {:.9g} a point\n", n,
                  mixture.components.weights.size(), session.workers(), session.workers() == 1 ? "" : "s", iterations,
                  mixture.log_likelihood, mixture.log_likelihood / static_cast<double>(n)));
  return 0;
}
