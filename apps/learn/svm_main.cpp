/// @file
/// The command line of support vector machines.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "apps/common/linear_model.h"
#include "apps/common/linear_options.h"
#include "apps/common/sample_options.h"
#include "apps/common/verdict.h"
#include "apps/lbfgs/verify.h"
#include "apps/learn/svm.h"
#include "kasen/kasen.h"

namespace {

struct SvmOptions {
  apps::TrainingFiles files;
  double l2 = 1;
  apps::Stopping stopping;
};

void add_options(CLI::App& app, SvmOptions& options) {
  options.files.add_data_options(app);
  apps::add_penalty_option(app, "--l2", options.l2, "half the squared norm of the weights");
  apps::add_intercept_option(app, options.files.data.constant);
  options.stopping.tolerance = 1e-4;
  options.stopping.add_options(app, "stops when the objective decreases by a smaller part of it");
  options.files.add_predict_options(app);
  app.footer("Example: kasen-run -n 4 svm --data a9a --l2 1 --intercept --predict a9a.t --output weights.h5");
}

void predict(const apps::TrainingFiles& files, const apps::Model& model) {
  print_quality(model, read_labelled(files.further(), model.weights[0].length()), files.predict);
}

/// Two classes are one problem; of more each is one against the rest.
apps::Model train(const SvmOptions& options, const apps::LabelledSamples& samples, const std::vector<double>& classes,
                  std::vector<apps::Outcome>& outcomes) {
  const bool constant = options.files.data.constant;
  apps::Model model{classes, {}, {}};
  const std::size_t problems = classes.size() > 2 ? classes.size() : 1;
  kasen::Session::current().expect_iterations(options.stopping.most() * problems);
  for (std::size_t k = 0; k < problems; ++k) {
    const auto one_or_rest = KASEN_FN((auto label, auto one), label == one ? 1.0 : -1.0);
    const auto sign = kasen::map(one_or_rest, samples.labels, classes[problems == 1 ? 1 : k]);
    const apps::SvmFit fit = apps::svm({samples.X, sign, options.l2, constant}, options.stopping);
    outcomes.push_back({fit.objective.get(), fit.gradient.get()});
    add_problem(model, fit.weights.get(), constant);
  }
  return model;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Support vector machines with squared hinge loss, by nonlinear conjugate gradients");
  SvmOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  const apps::TrainingFiles& files = options.files;
  files.check();
  if (!files.model.empty()) {
    predict(files, apps::load(files.model, true));
    return 0;
  }

  const apps::LabelledSamples samples = read_labelled(files.data);
  const std::vector<double> classes = apps::classes_of(samples.labels, files.data.path);
  std::vector<apps::Outcome> outcomes;
  const apps::Model model = train(options, samples, classes, outcomes);
  const std::uint64_t iterations = session.counts().iterations;
  print_outcomes(model, outcomes, options.stopping.tolerance, files.data.path);
  if (!files.predict.empty()) predict(files, model);
  if (session.options().verify) {
    apps::Training training;  // the same problem, as lbfgs solves it
    training.loss = apps::Loss::squared_hinge;
    training.l2 = options.l2;
    training.intercept = files.data.constant;
    const apps::TrainingError error = training_error(files.data, training, model, outcomes);
    apps::verdict(error.holds(), error.text());
  }
  if (!session.options().output.empty()) apps::save(model, session.options().output);
  session.print(fmt::format("{} samples, {} features, {} worker{}, {} iterations\n", samples.X.rows().length(),
                            model.weights[0].length(), session.workers(), session.workers() == 1 ? "" : "s",
                            iterations));
  return 0;
}
