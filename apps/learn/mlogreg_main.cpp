/// @file
/// The command line of multinomial logistic regression.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "apps/common/known_values.h"
#include "apps/common/linear_model.h"
#include "apps/common/linear_options.h"
#include "apps/common/sample_options.h"
#include "apps/common/stopping.h"
#include "apps/common/verdict.h"
#include "apps/learn/mlogreg.h"
#include "apps/learn/verify_mlogreg.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct Options {
  apps::TrainingFiles files;
  double l2 = 1;
  apps::NewtonSettings settings;
};

void add_options(CLI::App& app, Options& options) {
  options.files.add_data_options(app);
  apps::add_penalty_option(app, "--l2", options.l2, "half the squared norm of the weights");
  apps::add_intercept_option(app, options.files.data.constant);
  app.add_option("--most-products", options.settings.most_products, "steps of conjugate gradients in an iteration")
      ->transform(kasen::whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  options.settings.stopping.add_options(app, "stops when the gradient's norm is so small relative to the first one's");
  options.files.add_predict_options(app);
  app.footer("Example: kasen-run -n 4 mlogreg --data digits.csv --label digit --intercept --output weights.h5");
}

/// The samples: of a table all numbers, else non-zeros.
apps::Design read_design(const apps::SampleFile& file, kasen::Vector<double>& labels) {
  if (file.label.empty()) {
    const apps::LabelledSamples samples = read_labelled(file);
    labels = samples.labels;
    return {samples.X};
  }
  const apps::LabelledRows samples = read_labelled_rows(file);
  labels = samples.labels;
  return {samples.X};
}

/// Of samples: the place of the label among the classes; -1 for none of them.
kasen::Vector<std::int32_t> places_of(const kasen::Vector<double>& labels, const std::vector<double>& classes) {
  const auto place = [](double label, std::span<const double> all) {
    const auto found = std::lower_bound(all.begin(), all.end(), label);
    return found != all.end() && *found == label ? static_cast<std::int32_t>(found - all.begin()) : -1;
  };
  return kasen::map(place, labels, kasen::whole(apps::known_vector(kasen::Space(classes.size()), classes)));
}

/// The model of weights, a row a feature; of two classes only the difference matters.
apps::Model model_of(const std::vector<double>& weights, const std::vector<double>& classes, bool constant) {
  apps::Model model{classes, {}, {}};
  const std::size_t k = classes.size();
  for (std::size_t one = k == 2 ? 1 : 0; one < k; ++one) {
    std::vector<double> of_one;
    for (std::size_t j = 0; j < weights.size() / k; ++j)
      of_one.push_back(weights[j * k + one] - (k == 2 ? weights[j * k] : 0));
    add_problem(model, of_one, constant);
  }
  return model;
}

/// Prints accuracy, and the log-likelihood of the labels.
void predict(const apps::TrainingFiles& files, const apps::Model& model) {
  const std::size_t k = model.classes.size(), features = model.weights[0].length();
  const apps::LabelledSamples samples = read_labelled(files.further(), features);
  print_quality(model, samples, files.predict);
  std::vector<double> weights(features * k), intercepts(k);
  for (std::size_t at = 0; at < model.weights.size(); ++at) {
    const std::size_t one = k == 2 ? 1 : at;
    const std::vector<double> of_one = model.weights[at].get();
    for (std::size_t j = 0; j < features; ++j) weights[j * k + one] = of_one[j];
    intercepts[one] = model.intercepts[at];
  }
  const auto add = [](std::span<const double> score, std::span<const double> by, std::span<double> out) {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = score[j] + by[j];
  };
  const kasen::Rows<double> scores =
      kasen::map(add, apps::Design{samples.X}.times(apps::known_rows(samples.X.columns(), k, weights)),
                 kasen::whole(apps::known_vector(kasen::Space(k), intercepts)), kasen::width(k));
  const double sum = apps::log_likelihood(scores, places_of(samples.labels, model.classes)).get();
  kasen::Session::current().print(fmt::format("{}: log-likelihood {:.9g}, {:.9g} a sample\n", files.predict, sum,
                                              sum / static_cast<double>(samples.X.rows().length())));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Multinomial logistic regression, by Newton's method with conjugate gradients");
  Options options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  const apps::TrainingFiles& files = options.files;
  files.check();
  if (!files.model.empty()) {
    predict(files, apps::load(files.model, true));
    return 0;
  }

  kasen::Vector<double> labels;
  const apps::Design design = read_design(files.data, labels);
  const std::vector<double> classes = apps::classes_of(labels, files.data.path);
  session.expect_iterations(options.settings.stopping.most());
  const apps::ClassFit fit = apps::mlogreg(
      {design, places_of(labels, classes), classes.size(), options.l2, files.data.constant}, options.settings);
  const apps::Outcome outcome{fit.objective.get(), fit.gradient.get(), fit.left.get() == 0};
  const std::uint64_t iterations = session.counts().iterations;
  const std::vector<double> weights = fit.weights.get();
  const apps::Model model = model_of(weights, classes, files.data.constant);
  require_finite(outcome, files.data.path, "");
  if (!files.predict.empty()) predict(files, model);
  if (session.options().verify) {
    const apps::ClassError error = class_error(files.data, {classes, weights, options.l2, outcome});
    apps::verdict(error.holds(), error.text());
  }
  if (!session.options().output.empty()) apps::save(model, session.options().output);
  session.print(fmt::format(
      "{} samples, {} features, {} classes, {} worker{}, {} iterations, objective {:.12g}, gradient {:.3g} of the "
      "first{}\n",
      design.samples(), design.features() - (files.data.constant ? 1 : 0), classes.size(), session.workers(),
      session.workers() == 1 ? "" : "s", iterations, outcome.objective, outcome.gradient,
      why_ended(outcome, options.settings.stopping.tolerance)));
  return 0;
}
