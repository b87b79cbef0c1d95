/// @file
/// The command line of generalised linear models.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/linear_model.h"
#include "apps/common/linear_options.h"
#include "apps/common/model_file.h"
#include "apps/common/sample_options.h"
#include "apps/common/verdict.h"
#include "apps/learn/glm.h"
#include "apps/learn/verify_glm.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

using apps::Family, apps::Link;

struct GlmOptions {
  apps::TrainingFiles files;
  Family family = Family::gaussian;
  std::optional<Link> link;
  double l2 = 0;
  apps::GlmSettings settings;
};

void add_options(CLI::App& app, GlmOptions& options) {
  options.files.add_data_options(app);
  kasen::add_choice<Family>(app, "--family", options.family,
                            {{"gaussian", Family::gaussian},
                             {"poisson", Family::poisson},
                             {"gamma", Family::gamma},
                             {"binomial", Family::binomial}},
                            "how targets spread around their means");
  kasen::add_choice<std::optional<Link>>(app, "--link", options.link,
                                         {{"canonical", {}},
                                          {"identity", Link::identity},
                                          {"log", Link::log},
                                          {"logit", Link::logit},
                                          {"probit", Link::probit},
                                          {"inverse", Link::inverse}},
                                         "what of a mean is linear; canonical: identity, log, inverse, logit");
  apps::add_penalty_option(app, "--l2", options.l2, "the squared norm of the weights");
  apps::add_intercept_option(app, options.files.data.constant);
  app.add_option("--most-products", options.settings.most_products, "steps of conjugate gradients in an iteration")
      ->transform(kasen::whole_number(1))
      ->type_name("N")
      ->capture_default_str();
  options.settings.stopping.tolerance = 1e-8;
  options.settings.stopping.add_options(app, "stops when the objective decreases by a smaller part of it");
  options.files.add_predict_options(app);
  app.footer("Example: kasen-run -n 4 glm --data claims.csv --label claims --family poisson --intercept --output w.h5");
}

Link link_of(const GlmOptions& options) {
  constexpr Link kCanonical[] = {Link::identity, Link::log, Link::inverse, Link::logit};
  const Link link = options.link.value_or(kCanonical[static_cast<std::size_t>(options.family)]);
  if ((link == Link::logit || link == Link::probit) && options.family != Family::binomial)
    throw kasen::UsageError("--link logit and probit are of --family binomial");
  return link;
}

/// What --output writes of a model beside its weights, and --model reads again: numbers from 0 in the order of the
/// types.
std::vector<std::pair<std::string, double>> written(Family family, Link link) {
  return {{"family", static_cast<double>(family)}, {"link", static_cast<double>(link)}};
}

/// Collective. @throws InputError (by all workers) if it is none up to `last`
template <class Choice>
Choice read_choice(const std::string& path, const std::string& name, Choice last) {
  const std::vector<double> found = apps::read_numbers(path, name);
  for (int k = 0; k <= static_cast<int>(last); ++k) {
    if (found.size() == 1 && found[0] == k) return static_cast<Choice>(k);
  }
  throw kasen::InputError(fmt::format("{}:/{}: expected a number from 0 to {}", path, name, static_cast<int>(last)));
}

using Labels = kasen::Vector<double>;

template <class Holds, class... A>
bool all(const Labels& labels, const Holds& holds, const A&... more) {
  return kasen::reduce(kasen::logical_and, kasen::map(holds, labels, more...)).get();
}
constexpr auto kIsShare = KASEN_FN((auto y), y >= 0.0 && y <= 1.0);

/// The labels that 0 and 1 stand for in a binomial family: those, where all are shares from 0 to 1, or the two that
/// there are. None in other families. @throws InputError (by all workers)
std::vector<double> classes_of(Family family, const Labels& labels, const std::string& path) {
  if (family != Family::binomial) return {};
  if (all(labels, kIsShare)) return {0, 1};
  std::vector<double> classes = apps::classes_of(labels, path);
  if (classes.size() == 2) return classes;
  throw kasen::InputError(
      fmt::format("{}: expected labels from 0 to 1, or two of them, for a binomial family; found {} different ones",
                  path, classes.size()));
}

/// Labels as the family has them. @throws InputError (by all workers)
kasen::Vector<double> targets_of(Family family, const std::vector<double>& classes, const Labels& labels,
                                 const std::string& path) {
  if (!all(labels, KASEN_FN((auto y), kasen::abs(y) < kasen::infinity)))
    throw kasen::InputError(path + ": there are labels that are not finite");
  if (family == Family::poisson && !all(labels, KASEN_FN((auto y), y >= 0.0)))
    throw kasen::InputError(path + ": there are labels below 0, which a Poisson family does not have");
  if (family == Family::gamma && !all(labels, KASEN_FN((auto y), y > 0.0)))
    throw kasen::InputError(path + ": there are labels that are not above 0, which a gamma family does not have");
  if (family != Family::binomial) return labels;
  if (classes[0] == 0 && classes[1] == 1) {
    if (!all(labels, kIsShare))
      throw kasen::InputError(path + ": expected labels from 0 to 1, as the model was fitted to");
    return labels;
  }
  if (!all(labels, KASEN_FN((auto y, auto a, auto b), y == a || y == b), classes[0], classes[1])) {
    throw kasen::InputError(
        fmt::format("{}: expected the labels {} and {}, which the model was fitted to", path, classes[0], classes[1]));
  }
  return kasen::map(KASEN_FN((auto y, auto one), y == one ? 1.0 : 0.0), labels, classes[1]);
}

/// @throws InputError (by all workers) if the link has no score for the mean of the targets, with which the fit begins
void require_start(const apps::GlmProblem& problem, const std::string& path) {
  const double mean = kasen::reduce(kasen::plus, problem.targets).get() / static_cast<double>(problem.targets.length());
  const bool positive = problem.link == Link::log || problem.family != Family::gaussian;
  if ((positive && mean <= 0) || (problem.link == Link::inverse && mean == 0) ||
      (problem.family == Family::binomial && mean >= 1)) {
    throw kasen::InputError(
        fmt::format("{}: the mean of the labels is {:.6g}, which the family and link cannot have", path, mean));
  }
}

/// Prints how well the targets of further samples are predicted.
void predict(const GlmOptions& options, Link link, const apps::Model& model) {
  const apps::LabelledSamples samples = read_labelled(options.files.further(), model.weights[0].length());
  const auto targets = targets_of(options.family, model.classes, samples.labels, options.files.predict);
  const auto scores = kasen::map(kasen::plus, kasen::multiply(samples.X, model.weights[0]), model.intercepts[0]);
  const auto means = means_of(link, scores);
  const auto square = KASEN_FN((auto y, auto m), (y - m) * (y - m));
  const double deviance = kasen::reduce(kasen::plus, deviances_of(options.family, targets, means)).get();
  const double squares = kasen::reduce(kasen::plus, kasen::zip_with(square, targets, means)).get();
  const auto n = static_cast<double>(targets.length());
  std::string text = fmt::format("{}: {} samples, deviance {:.9g}, mean squared error {:.8g}", options.files.predict,
                                 targets.length(), deviance, squares / n);
  if (options.family == Family::binomial) {
    const auto hit = KASEN_FN((auto y, auto m), (m > 0.5) == (y > 0.5) ? 1.0 : 0.0);
    text +=
        fmt::format(", accuracy {:.7f}", kasen::reduce(kasen::plus, kasen::zip_with(hit, targets, means)).get() / n);
  }
  kasen::Session::current().print(text + "\n");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Generalised linear models, by iteratively reweighted least squares");
  GlmOptions options;
  add_options(app, options);
  kasen::Session session(argc, argv, app);
  const apps::TrainingFiles& files = options.files;
  files.check();
  if (!files.model.empty()) {
    options.family = read_choice(files.model, "family", Family::binomial);
    options.link = read_choice(files.model, "link", Link::inverse);
    predict(options, link_of(options), apps::load(files.model, options.family == Family::binomial));
    return 0;
  }
  const Link link = link_of(options);

  const apps::LabelledSamples samples = read_labelled(files.data);
  const bool constant = files.data.constant;
  apps::Model model;
  model.classes = classes_of(options.family, samples.labels, files.data.path);
  const apps::GlmProblem problem{
      samples.X,      targets_of(options.family, model.classes, samples.labels, files.data.path),
      options.family, link,
      options.l2,     constant};
  require_start(problem, files.data.path);
  session.expect_iterations(options.settings.stopping.most());
  const apps::GlmFit fit = apps::glm(problem, options.settings);
  const apps::GlmClaim claim{fit.weights.get(), fit.objective.get(), fit.deviance.get(), fit.pearson.get()};
  const std::uint64_t iterations = session.counts().iterations, n = samples.X.rows().length();
  if (iterations > 0 && !std::isfinite(claim.objective)) {
    throw kasen::Error(files.data.path +
                       ": no weights were found with which all means are such as the family and link can have, or the "
                       "features are too large");
  }
  add_problem(model, claim.weights, constant);
  if (!files.predict.empty()) predict(options, link, model);
  if (session.options().verify) {
    const apps::GlmError error = glm_error(files.data, problem, claim, iterations > 0);
    apps::verdict(error.holds(), error.text());
  }
  const bool has_dispersion = options.family == Family::gaussian || options.family == Family::gamma;
  const double freedom = static_cast<double>(n) - static_cast<double>(claim.weights.size());
  const double dispersion = !has_dispersion ? 1 : freedom > 0 ? claim.pearson / freedom : std::nan("");
  if (!session.options().output.empty()) apps::save(model, session.options().output, written(options.family, link));
  session.print(fmt::format("{} samples, {} features, {} worker{}, {} iterations, deviance {:.9g}, dispersion {:.6g}\n",
                            n, model.weights[0].length(), session.workers(), session.workers() == 1 ? "" : "s",
                            iterations, claim.deviance, dispersion));
  return 0;
}
