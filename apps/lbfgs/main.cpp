/// @file
/// Linear models by L-BFGS: logistic regression, least squares and support vector machines with squared hinge loss.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "apps/common/linear_options.h"
#include "apps/common/sample_options.h"
#include "apps/common/verdict.h"
#include "apps/lbfgs/train.h"
#include "apps/lbfgs/verify.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct LbfgsOptions {
  apps::TrainingFiles files;
  bool labels_are_numbers = false;
  apps::Training training;
};

void add_options(CLI::App& app, LbfgsOptions& options) {
  apps::Training& training = options.training;
  options.files.add_data_options(app);
  kasen::add_choice<bool>(app, "--labels", options.labels_are_numbers, {{"classes", false}, {"numbers", true}},
                          "numbers: scores are fitted to the labels, by squared loss");
  using apps::Loss;
  kasen::add_choice<Loss>(
      app, "--loss", training.loss,
      {{"logistic", Loss::logistic}, {"squared", Loss::squared}, {"squared-hinge", Loss::squared_hinge}},
      "what is summed over the samples");
  apps::add_penalty_option(app, "--l2", training.l2, "half the squared norm of the weights");
  apps::add_penalty_option(app, "--l1", training.l1, "the sum of magnitudes of the weights");
  apps::add_intercept_option(app, training.intercept);
  app.add_option("--history", training.settings.history, "steps that are remembered")
      ->check(CLI::Range(1, 100))
      ->type_name("M")
      ->capture_default_str();
  training.settings.stopping.add_options(app, "stops when the gradient's norm is so small relative to the first one's");
  options.files.add_predict_options(app, {"--labels"});
  app.footer("Example: kasen-run -n 4 lbfgs --data a9a --loss logistic --l2 1 --predict a9a.t --output weights.h5");
}

void predict(const apps::TrainingFiles& files, const apps::Model& model) {
  print_quality(model, read_labelled(files.further(), model.weights[0].length()), files.predict);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Linear models of two or more classes, or of numbers, by L-BFGS; with L1 by OWL-QN");
  LbfgsOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  const apps::TrainingFiles& files = options.files;
  files.check();
  if (!files.model.empty()) {
    predict(files, apps::load(files.model, !options.labels_are_numbers));
    return 0;
  }
  if (options.labels_are_numbers && options.training.loss != apps::Loss::squared)
    throw kasen::UsageError("--labels numbers needs --loss squared");

  const apps::LabelledSamples samples = read_labelled(files.data);
  std::vector<double> classes;
  if (!options.labels_are_numbers) classes = apps::classes_of(samples.labels, files.data.path);
  std::vector<apps::Outcome> outcomes;
  const apps::Model model = train(samples, classes, options.training, outcomes);
  print_outcomes(model, outcomes, options.training.settings.stopping.tolerance, files.data.path);
  if (!files.predict.empty()) predict(files, model);
  if (session.options().verify) {
    const apps::TrainingError error = training_error(files.data, options.training, model, outcomes);
    apps::verdict(error.holds(), error.text());
  }
  if (!session.options().output.empty()) apps::save(model, session.options().output);
  session.print(fmt::format("{} samples, {} features, {} worker{}, {} iterations\n", samples.X.rows().length(),
                            samples.X.columns().length(), session.workers(), session.workers() == 1 ? "" : "s",
                            session.counts().iterations));
  return 0;
}
