/// @file
/// The command line of the autoencoder.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <string>

#include "apps/common/centre_options.h"
#include "apps/common/model_file.h"
#include "apps/common/verdict.h"
#include "apps/learn/autoencoder.h"
#include "apps/learn/verify_autoencoder.h"
#include "kasen/input_options.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

constexpr std::uint64_t kMostHidden = 100'000;

struct Options {
  std::string data, predict, model;
  apps::EncoderShape shape;
  apps::Descent descent;
  kasen::ReadOptions input;
};

struct SavedModel {
  apps::Scaling scaling;
  apps::Weights weights;
  apps::Activation activation;
};

void add_training_options(CLI::App& app, Options& options) {
  app.add_option("--hidden", options.shape.hidden, "numbers that the layers make, of which the last are the code")
      ->delimiter(',')
      ->expected(2)
      ->transform(kasen::whole_number(1))
      ->check(CLI::Range(std::uint64_t{1}, kMostHidden))
      ->type_name("H1,H2")
      ->capture_default_str();
  kasen::add_choice<apps::Activation>(app, "--activation", options.shape.activation,
                                      {{"tanh", apps::Activation::tanh}, {"sigmoid", apps::Activation::sigmoid}},
                                      "of all layers but the last");
  app.add_option("--batch", options.descent.batch, "samples of a batch, at most all")
      ->transform(kasen::whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--epochs", options.descent.epochs, "how often each batch is gone through")
      ->transform(kasen::whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--step", options.descent.step, "by which the mean gradient of a batch is multiplied")
      ->check(kasen::number_between(1e-300, 1e300, "a number above 0"))
      ->type_name("NUMBER")
      ->capture_default_str();
  app.add_option("--decay", options.descent.decay, "by which the step is multiplied after each epoch")
      ->check(kasen::number_between(1e-300, 1, "a number above 0, at most 1"))
      ->type_name("NUMBER")
      ->capture_default_str();
  app.add_option("--momentum", options.descent.momentum, "how much of a change of the weights is in the next one")
      ->check(kasen::number_between(0, 1, "a number from 0 to 1"))
      ->type_name("NUMBER")
      ->capture_default_str();
  app.add_option("--seed", options.descent.seed, "of the first weights")
      ->transform(kasen::whole_number())
      ->type_name("N")
      ->capture_default_str();
}

void add_options(CLI::App& app, Options& options) {
  app.add_option("--data", options.data, "samples, one a row: " + kasen::table_formats())
      ->check(kasen::given_name())
      ->type_name("FILE");
  add_training_options(app, options);
  app.add_option("--predict", options.predict, "further samples: prints how much of them is lost")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option(
         "--model", options.model,
         "instead of --data: encodes --predict with what --output has written to HDF5; then --output gets codes "
         "and reconstructions")
      ->check(kasen::given_name())
      ->type_name("FILE");
  kasen::add_input_options(app, options.input, kasen::kTables);
  for (const char* name :
       {"--hidden", "--activation", "--batch", "--epochs", "--step", "--decay", "--momentum", "--seed"}) {
    app.get_option("--model")->excludes(app.get_option(name));  // which says how it was made
  }
  app.footer("Example: kasen-run -n 4 autoencoder --data digits.csv --hidden 100,2 --output encoder.h5");
}

void check(const Options& options) {
  if (options.data.empty() == options.model.empty()) throw kasen::UsageError("expected either --data or --model");
  if (options.model.empty()) return;
  if (options.predict.empty()) throw kasen::UsageError("--model needs --predict");
  if (kasen::Session::current().options().verify) throw kasen::UsageError("--model does not go with --verify");
}

std::string weights_name(std::size_t layer) { return "weights" + std::to_string(layer + 1); }

SavedModel load(const std::string& path) {
  SavedModel model{{apps::read_numbers(path, "mean"), apps::read_numbers(path, "deviation")}, {}, {}};
  const std::vector<double> sigmoid = apps::read_numbers(path, "sigmoid");
  const std::vector<double> hidden = apps::read_numbers(path, "hidden");
  for (std::size_t l = 0; l < 4; ++l) model.weights.push_back(apps::read_numbers(path, weights_name(l)));
  const std::size_t d = model.scaling.mean.size();
  bool fits = d > 0 && model.scaling.deviation.size() == d && sigmoid.size() == 1 && hidden.size() == 2;
  fits = fits && std::all_of(hidden.begin(), hidden.end(), [](double h) { return h >= 1 && h <= kMostHidden; });
  fits = fits && std::all_of(model.scaling.deviation.begin(), model.scaling.deviation.end(),
                             [](double deviation) { return deviation > 0; });
  if (fits) {
    const auto h1 = static_cast<std::size_t>(hidden[0]), h2 = static_cast<std::size_t>(hidden[1]);
    const std::size_t widths[] = {d, h1, h2, h1, d};
    for (std::size_t l = 0; l < 4; ++l) fits = fits && model.weights[l].size() == (widths[l] + 1) * widths[l + 1];
  }
  if (!fits) throw kasen::InputError(path + ": weights, means and deviations do not fit together");
  model.activation = sigmoid[0] != 0 ? apps::Activation::sigmoid : apps::Activation::tanh;
  return model;
}

/// Errors name the file.
apps::Trained train(const kasen::Rows<double>& samples, const Options& options) {
  try {
    return apps::autoencoder(samples, options.shape, options.descent);
  } catch (const apps::ScaleError& error) {
    throw kasen::Error(options.data + ": " + error.what());
  }
}

void save(const std::string& path, const SavedModel& model, const std::vector<std::uint64_t>& hidden,
          const kasen::Rows<double>& codes, double objective) {
  kasen::Output output(path);
  output.add("codes", codes);
  if (!path.ends_with(".tsv")) {
    const std::uint64_t columns = model.scaling.mean.size();
    const std::uint64_t widths[] = {hidden[0], hidden[1], hidden[0], columns};
    for (std::size_t l = 0; l < model.weights.size(); ++l) output.add(weights_name(l), model.weights[l], widths[l]);
    output.add("mean", model.scaling.mean).add("deviation", model.scaling.deviation);
    output.add("hidden", std::vector<double>(hidden.begin(), hidden.end()));
    output.add("sigmoid", std::vector<double>{model.activation == apps::Activation::sigmoid ? 1.0 : 0.0});
    output.attribute("objective", objective);
  }
  output.commit();
}

/// Prints what is lost of the samples of --predict, and writes what they become if `output` is a path.
void predict(const Options& options, const SavedModel& model, const std::string& output) {
  const kasen::Table table = apps::read_points(options.predict, options.input);
  const std::uint64_t columns = model.scaling.mean.size();
  if (table.columns() != columns) {
    throw kasen::InputError(fmt::format("{}: expected samples of {} column{}, found {}", options.predict, columns,
                                        columns == 1 ? "" : "s", table.columns()));
  }
  const apps::Encoded result = encoded(table.as_rows(), model.activation, model.scaling, model.weights);
  const double objective = result.objective.get();
  if (!output.empty()) {
    kasen::Output file(output);
    file.add("codes", result.codes);
    if (!output.ends_with(".tsv")) file.add("reconstructions", result.reconstructions);
    file.commit();
  }
  kasen::Session::current().print(
      fmt::format("{}: {} samples, objective {:.9g}\n", options.predict, table.rows().length(), objective));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("An autoencoder of two hidden layers, trained on mini-batches");
  Options options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  check(options);
  const std::string& output = session.options().output;
  if (!options.model.empty()) {
    predict(options, load(options.model), output);
    return 0;
  }

  const kasen::Rows<double> samples = apps::read_points(options.data, options.input).as_rows();
  const std::uint64_t n = samples.length(), columns = samples.width();
  options.descent.batch = std::min(options.descent.batch, n);
  session.expect_iterations(options.descent.epochs * (n / options.descent.batch));
  options.descent.keeps_previous = session.options().verify;
  const apps::Trained trained = train(samples, options);
  const std::uint64_t iterations = session.counts().iterations;
  if (!std::isfinite(trained.objective))
    throw kasen::Error(options.data + ": the objective is no finite number: expected a smaller --step");
  const SavedModel model{trained.scaling, trained.weights, options.shape.activation};
  if (session.options().verify) {
    const apps::EncoderError error =
        apps::encoder_error(options.data, options.input, {options.shape, options.descent, trained});
    apps::verdict(error.holds(), error.text());
  }
  if (!options.predict.empty()) predict(options, model, "");
  if (!output.empty()) {
    const apps::Encoded result = encoded(samples, model.activation, model.scaling, model.weights);
    save(output, model, options.shape.hidden, result.codes, trained.objective);
  }
  session.print(fmt::format("{} samples, {} columns, {},{} hidden, {} worker{}, {} iterations, objective {:.9g}\n", n,
                            columns, options.shape.hidden[0], options.shape.hidden[1], session.workers(),
                            session.workers() == 1 ? "" : "s", iterations, trained.objective));
  return 0;
}
