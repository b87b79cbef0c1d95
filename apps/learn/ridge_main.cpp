/// @file
/// The command line of ridge regression.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/known_values.h"
#include "apps/common/linear_model.h"
#include "apps/common/model_file.h"
#include "apps/common/sample_options.h"
#include "apps/common/verdict.h"
#include "apps/learn/encoded_table.h"
#include "apps/learn/ridge.h"
#include "apps/learn/row_functions.h"
#include "apps/learn/verify_ridge.h"
#include "kasen/base/error.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct RidgeOptions {
  apps::TrainingFiles files;
  std::string target;
  std::optional<std::vector<std::string>> numbers;
  std::vector<std::string> words;
  std::uint64_t folds = 5, seed = 1;
  apps::RidgeSettings settings{{1e-3, 1e-2, 1e-1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6}};
};

void add_options(CLI::App& app, RidgeOptions& options) {
  app.add_option("--data", options.files.data.path, "a table in text, whose first line names its columns")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--target", options.target, "the column that is predicted, of numbers")
      ->check(kasen::given_name())
      ->type_name("COLUMN")
      ->required();
  app.add_option("--columns", options.numbers, "columns of numbers to predict by, in place of all others")
      ->delimiter(',')
      ->check(kasen::given_name())
      ->type_name("COLUMN,...");
  app.add_option("--words", options.words, "columns of words to predict by: each word is a feature, 0 or 1")
      ->delimiter(',')
      ->check(kasen::given_name())
      ->type_name("COLUMN,...");
  app.add_flag("--raw", options.settings.raw, "penalises the weights of features as they are, not of variance 1");
  app.add_option("--folds", options.folds, "parts of the samples, each predicted by a fit to the others")
      ->transform(kasen::whole_number(2))
      ->type_name("K")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of the folds that samples are of")
      ->transform(kasen::whole_number())
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--penalties", options.settings.penalties,
                 "weights of the squared norm of the weights, to choose from")
      ->delimiter(',')
      ->check(kasen::number_between(0, 1e300, "a number from 0"))
      ->type_name("NUMBER,...")
      ->capture_default_str();
  app.add_option("--predict", options.files.predict, "a further table with targets: prints how well they are predicted")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--model", options.files.model, "instead of --data: predicts with what --output has written to HDF5")
      ->check(kasen::given_name())
      ->type_name("FILE");
  for (const char* name : {"--columns", "--words", "--raw", "--folds", "--seed", "--penalties"})
    app.get_option("--model")->excludes(app.get_option(name));
  app.footer(
      "Example: kasen-run -n 4 ridge --data houses.csv --target price --words town,heating --verify --output w.h5");
}

/// @throws InputError (by all workers) for what no weights can be fitted to
void require_usable(const apps::FoldProducts& products, const std::string& path) {
  double samples = 0, most = 0;
  for (const std::vector<double>& fold : products.sums) {
    if (!std::all_of(fold.begin(), fold.end(), [](double sum) { return std::isfinite(sum); }))
      throw kasen::InputError(path +
                              ": the sums of the squares of columns are not finite: their numbers are too large");
    samples += fold[0], most = std::max(most, fold[0]);
  }
  if (most == samples) {
    throw kasen::InputError(
        fmt::format("{}: all of the {} samples are of one fold: expected more, or another --seed", path, samples));
  }
}

struct NamedWeights {
  std::vector<std::string> features;
  std::vector<double> weights;
  double intercept = 0;
};

NamedWeights load(const std::string& path) {
  const apps::Model model = apps::load(path, false);
  NamedWeights named{apps::read_column_names(path, "weights"), model.weights[0].get(), model.intercepts[0]};
  if (named.features.size() != named.weights.size())
    throw kasen::InputError(path + ": the weights have no names, as ridge writes them");
  return named;
}

void save(const NamedWeights& named, const RidgeOptions& options, const apps::RidgeFit& fit) {
  const std::string& path = kasen::Session::current().options().output;
  const kasen::Space features(named.features.size()), one(1);
  const kasen::BlockRange mine = kasen::block_of(features);
  kasen::io::Words names;
  for (std::uint64_t k = 0; k < mine.count; ++k)
    names.push_back(named.features[static_cast<std::size_t>(mine.first) + k]);
  const kasen::io::VertexIds ids(kasen::workers::communicator(), features.length(), std::move(names));
  kasen::Output output(path);
  if (path.ends_with(".tsv") || path.ends_with(".mtx")) {
    output.add("feature", ids).add("weight", apps::known_vector(features, named.weights));
  } else {
    output.add("column_names", ids).add("weights", named.weights, named.weights.size());
    output.add("intercepts", std::vector<double>{named.intercept}).add("penalties", options.settings.penalties);
    output.add("errors", fit.errors).attribute("penalty", options.settings.penalties[fit.best]);
  }
  output.commit();
}

/// Prints how well the targets of a further table are predicted.
void predict(const RidgeOptions& options, const NamedWeights& named) {
  const apps::EncodedTable table = apps::read_encoded(options.files.predict, options.target, named.features);
  const auto squared_error = [](apps::Numbers fields, apps::Numbers layout, apps::Numbers weights, double intercept) {
    const auto numbers = static_cast<std::size_t>(layout[0]);
    double error = intercept - fields.back();
    for (std::size_t k = 0; k < numbers; ++k) error += fields[k] * weights[k];
    for (std::size_t k = 1; k < layout.size(); ++k) {
      if (const double word = fields[numbers + k - 1]; word >= 0)
        error += weights[static_cast<std::size_t>(layout[k] + word)];
    }
    return error * error;
  };
  const auto weights = apps::known_vector(kasen::Space(named.weights.size()), named.weights);
  const double squares = kasen::reduce(kasen::plus, kasen::map(squared_error, table.fields, kasen::whole(table.layout),
                                                               kasen::whole(weights), named.intercept))
                             .get();
  const std::uint64_t samples = table.samples.length();
  kasen::Session::current().print(fmt::format("{}: {} samples, mean squared error {:.8g}\n", options.files.predict,
                                              samples, squares / static_cast<double>(samples)));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Ridge regression over a table, with a penalty chosen by cross-validation");
  RidgeOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  options.files.check();
  if (!options.files.model.empty()) {
    predict(options, load(options.files.model));
    return 0;
  }

  const std::string& path = options.files.data.path;
  const apps::EncodedTable table =
      apps::read_encoded(path, apps::columns_of(path, options.target, options.numbers, options.words));
  const std::uint64_t samples = table.samples.length(), d = table.features.size();
  if (d > apps::kMostRidgeFeatures)
    throw kasen::InputError(fmt::format("{}: {} features are more than the {} whose products are summed", path, d,
                                        apps::kMostRidgeFeatures));
  if (samples < options.folds)
    throw kasen::InputError(fmt::format("{}: {} samples are too few for {} folds", path, samples, options.folds));
  const apps::FoldProducts products = apps::fold_products(table, options.folds, options.seed);
  require_usable(products, path);
  const apps::RidgeFit fit = apps::ridge(products, options.settings);
  const NamedWeights named{table.features, fit.weights, fit.intercept};

  std::string text = fmt::format("{:>12}  mean squared error\n", "penalty");
  for (std::size_t p = 0; p < fit.errors.size(); ++p)
    text += fmt::format("{:>12.6g}  {:.9g}{}\n", options.settings.penalties[p], fit.errors[p],
                        p == fit.best ? "  least" : "");
  session.print(text);
  if (!options.files.predict.empty()) predict(options, named);
  if (session.options().verify) {
    const apps::RidgeError error =
        apps::ridge_error(path, {options.target, table.features, options.folds, options.seed, options.settings, fit});
    apps::verdict(error.holds(), error.text());
  }
  if (!session.options().output.empty()) save(named, options, fit);
  session.print(
      fmt::format("{} samples, {} features, {} worker{}, {} folds, penalty {:.6g}, mean squared error {:.8g}\n",
                  samples, d, session.workers(), session.workers() == 1 ? "" : "s", options.folds,
                  options.settings.penalties[fit.best], fit.error));
  return 0;
}
