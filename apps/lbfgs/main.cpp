/// @file
/// Linear models by L-BFGS: logistic regression, least squares and support vector machines with squared hinge loss.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "apps/common/verdict.h"
#include "apps/lbfgs/train.h"
#include "apps/lbfgs/verify.h"
#include "kasen/input_options.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct LbfgsOptions {
  apps::SampleFile data;
  std::string predict, model;
  bool labels_are_numbers = false;
  apps::Training training;
};

void add_options(CLI::App& app, LbfgsOptions& options) {
  apps::Training& training = options.training;
  const auto number = [&](const std::string& name, double& value, const std::string& help) {
    app.add_option(name, value, help)
        ->check(kasen::number_between(0, 1e300, "a number from 0"))
        ->type_name("NUMBER")
        ->capture_default_str();
  };
  app.add_option("--data", options.data.path, "samples with labels: LIBSVM or HDF5, or a table with --label")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--label", options.data.label,
                 "the data is a table, this its column of labels: a name, or a number from 0")
      ->check(kasen::given_name())
      ->type_name("COLUMN");
  kasen::add_choice<bool>(app, "--labels", options.labels_are_numbers, {{"classes", false}, {"numbers", true}},
                          "numbers: scores are fitted to the labels, by squared loss");
  using apps::Loss;
  kasen::add_choice<Loss>(
      app, "--loss", training.loss,
      {{"logistic", Loss::logistic}, {"squared", Loss::squared}, {"squared-hinge", Loss::squared_hinge}},
      "what is summed over the samples");
  number("--l2", training.l2, "weight of half the squared norm of the weights");
  number("--l1", training.l1, "weight of the sum of magnitudes of the weights");
  app.add_flag("--intercept", training.intercept, "scores have a constant, which is not regularised");
  app.add_option("--history", training.settings.history, "steps that are remembered")
      ->check(CLI::Range(1, 100))
      ->type_name("M")
      ->capture_default_str();
  training.settings.stopping.add_options(app, "stops when the gradient's norm is so small relative to the first one's");
  app.add_option("--predict", options.predict, "further samples with labels: prints how well they are predicted")
      ->check(kasen::given_name())
      ->type_name("FILE");
  app.add_option("--model", options.model, "instead of --data: predicts with what --output has written to HDF5")
      ->check(kasen::given_name())
      ->type_name("FILE");
  kasen::add_sample_options(app, options.data.options);
  for (const char* name : {"--loss", "--l2", "--l1", "--intercept", "--history", "--tolerance", "--max-iterations",
                           "--iterations", "--columns"}) {
    app.get_option("--model")->excludes(app.get_option(name));  // which says how it was trained, and on what
  }
  app.footer("Example: kasen-run -n 4 lbfgs --data a9a --loss logistic --l2 1 --predict a9a.t --output weights.h5");
}

std::string name_of(const apps::Model& model, std::size_t problem) {
  return model.classes.size() > 2 ? fmt::format("class {}: ", model.classes[problem]) : std::string();
}

/// @throws Error, which every worker says alike
void require_finite(const LbfgsOptions& options, const apps::Model& model, const std::vector<apps::Outcome>& outcomes) {
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    const auto [objective, gradient] = outcomes[k];
    if (std::isfinite(objective) && std::isfinite(gradient)) continue;
    throw kasen::Error(
        fmt::format("{}: {}the objective ({:.6g}) or the norm of its gradient ({:.6g} of the first) is not finite: the "
                    "features or labels are too large",
                    options.data.path, name_of(model, k), std::abs(objective), std::abs(gradient)));
  }
}

void predict(const LbfgsOptions& options, const apps::Model& model) {
  apps::SampleFile file = options.data;
  file.path = options.predict;
  const apps::Quality quality = evaluate(model, read_labelled(file, model.weights[0].length()));
  std::string text = fmt::format("{}: {} samples, ", options.predict, quality.samples);
  if (model.classes.empty()) {
    text += fmt::format("mean squared error {:.8g}\n", quality.squared);
  } else {
    text += fmt::format("accuracy {:.7f}{}\n", quality.accuracy,
                        model.classes.size() == 2 ? fmt::format(", AUC {:.7f}", quality.auc) : "");
  }
  kasen::Session::current().print(text);
}

void check(const LbfgsOptions& options) {
  if (options.data.path.empty() == options.model.empty()) throw kasen::UsageError("expected either --data or --model");
  if (!options.model.empty() && options.predict.empty()) throw kasen::UsageError("--model needs --predict");
  if (options.labels_are_numbers && options.model.empty() && options.training.loss != apps::Loss::squared) {
    throw kasen::UsageError("--labels numbers needs --loss squared");
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Linear models of two or more classes, or of numbers, by L-BFGS; with L1 by OWL-QN");
  LbfgsOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  check(options);
  if (!options.model.empty()) {
    if (!session.options().output.empty() || session.options().verify) {
      throw kasen::UsageError("--model goes with neither --output nor --verify");
    }
    predict(options, apps::load(options.model, !options.labels_are_numbers));
    return 0;
  }

  const apps::LabelledSamples samples = read_labelled(options.data);
  std::vector<double> classes;
  if (!options.labels_are_numbers) classes = apps::classes_of(samples.labels, options.data.path);
  std::vector<apps::Outcome> outcomes;
  const apps::Model model = train(samples, classes, options.training, outcomes);
  require_finite(options, model, outcomes);

  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    session.print(fmt::format("{}objective {:.12g}, gradient {:.3g} of the first\n", name_of(model, k),
                              outcomes[k].objective, outcomes[k].gradient));
  }
  if (!options.predict.empty()) predict(options, model);
  if (session.options().verify) {
    const apps::TrainingError error = training_error(options.data, options.training, model, outcomes);
    apps::verdict(error.holds(), error.text());
  }
  if (!session.options().output.empty()) apps::save(model, session.options().output);
  session.print(fmt::format("{} samples, {} features, {} worker{}, {} iterations\n", samples.X.rows().length(),
                            samples.X.columns().length(), session.workers(), session.workers() == 1 ? "" : "s",
                            session.counts().iterations));
  return 0;
}
