#include "apps/common/linear_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>

#include "apps/common/known_values.h"
#include "apps/common/model_file.h"
#include "kasen/base/error.h"
#include "kasen/output.h"
#include "kasen/session.h"

namespace apps {
namespace {

using kasen::Vector;

Vector<double> score(const Model& model, std::size_t problem, const kasen::Matrix<double>& X) {
  return kasen::map(kasen::plus, kasen::mxvt(kasen::times, kasen::plus, X, model.weights[problem]),
                    model.intercepts[problem]);
}

double mean(const Vector<double>& v) { return kasen::reduce(kasen::plus, v).get() / static_cast<double>(v.length()); }

/// The share of pairs of a positive and a negative sample whose scores are in order; half of those that are equal. Not
/// a number if there are no such pairs, or a score is none.
double area_under_curve(const std::vector<double>& scores, const std::vector<double>& labels, double positive) {
  if (std::any_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); }))
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  double negatives = 0, positives = 0, pairs = 0;
  for (std::size_t from = 0; from < order.size();) {
    double equal_negatives = 0, equal_positives = 0;
    std::size_t to = from;
    for (; to < order.size() && scores[order[to]] == scores[order[from]]; ++to) {
      ++(labels[order[to]] == positive ? equal_positives : equal_negatives);
    }
    pairs += equal_positives * (negatives + equal_negatives / 2);
    negatives += equal_negatives;
    positives += equal_positives;
    from = to;
  }
  return pairs / (negatives * positives);
}

std::string name_of(const Model& model, std::size_t problem) {
  return model.classes.size() > 2 ? fmt::format("class {}: ", model.classes[problem]) : std::string();
}

bool is_text(const std::string& path) { return path.ends_with(".tsv") || path.ends_with(".mtx"); }

}  // namespace

void add_problem(Model& model, std::vector<double> weights, bool constant) {
  model.intercepts.push_back(constant ? weights.back() : 0);
  if (constant) weights.pop_back();
  model.weights.push_back(known_vector(kasen::Space(weights.size()), weights));
}

void save(const Model& model, const std::string& path, const std::vector<std::pair<std::string, double>>& more) {
  kasen::Output output(path);
  if (model.weights.size() == 1) {
    output.add("weights", model.weights[0]);
  } else if (is_text(path)) {
    for (std::size_t k = 0; k < model.weights.size(); ++k) {
      output.add("weights_" + std::to_string(k), model.weights[k]);
    }
  } else {
    std::vector<double> rows;
    for (const Vector<double>& weights : model.weights) {
      const std::vector<double> row = weights.get();
      rows.insert(rows.end(), row.begin(), row.end());
    }
    output.add("weights", rows, model.weights[0].length());
  }
  output.add("intercepts", model.intercepts);
  if (!model.classes.empty()) output.add("classes", model.classes);
  for (const auto& [name, number] : more) output.add(name, std::vector<double>{number});
  output.commit();
}

Model load(const std::string& path, bool of_classes) {
  Model model;
  model.intercepts = read_numbers(path, "intercepts");
  if (has_dataset(path, "classes") != of_classes) {
    throw kasen::InputError(path + (of_classes
                                        ? ": found a model of labels that are numbers, expected one of classes"
                                        : ": found a model of classes, expected one of labels that are numbers"));
  }
  if (of_classes) model.classes = read_numbers(path, "classes");
  if (of_classes && model.classes.size() < 2)
    throw kasen::InputError(path + ": expected two classes or more, found " + std::to_string(model.classes.size()));
  const std::vector<double> weights = read_numbers(path, "weights");
  const std::size_t problems = model.classes.size() > 2 ? model.classes.size() : 1;
  if (model.intercepts.size() != problems || weights.empty() || weights.size() % problems != 0) {
    throw kasen::InputError(path + ": weights, intercepts and classes do not fit together");
  }
  const kasen::Space features(weights.size() / problems);
  for (std::size_t k = 0; k < problems; ++k) {
    const auto of_problem = std::span(weights).subspan(k * features.length(), features.length());
    model.weights.push_back(known_vector(features, of_problem));
  }
  return model;
}

Quality evaluate(const Model& model, const LabelledSamples& samples) {
  Quality quality{samples.labels.length()};
  Vector<double> best = score(model, 0, samples.X), predicted = best;
  if (model.classes.empty()) {
    const auto squared = KASEN_FN((auto p, auto y), (p - y) * (p - y));
    quality.squared = mean(kasen::zip_with(squared, best, samples.labels));
    return quality;
  }
  if (model.classes.size() == 2) {
    quality.auc = area_under_curve(best.get(), samples.labels.get(), model.classes[1]);
    const auto of_score = KASEN_FN((auto s, auto negative, auto positive), s > 0.0 ? positive : negative);
    predicted = kasen::map(of_score, best, model.classes[0], model.classes[1]);
  } else {
    predicted = kasen::constant(samples.X.rows(), model.classes[0]);
    for (std::size_t k = 1; k < model.weights.size(); ++k) {
      const Vector<double> next = score(model, k, samples.X);
      const auto of_higher = KASEN_FN((auto now, auto a, auto b, auto label), b > a ? label : now);
      predicted = kasen::zip_with(of_higher, std::tie(predicted, best, next, model.classes[k]));
      best = kasen::zip_with(kasen::max, best, next);
    }
  }
  quality.accuracy = mean(kasen::zip_with(KASEN_FN((auto p, auto y), p == y ? 1.0 : 0.0), predicted, samples.labels));
  return quality;
}

void require_finite(const Outcome& outcome, const std::string& path, const std::string& problem) {
  const double objective = outcome.objective, gradient = outcome.gradient;
  if (std::isfinite(objective) && std::isfinite(gradient)) return;
  throw kasen::Error(
      fmt::format("{}: {}the objective ({:.6g}) or the norm of its gradient ({:.6g} of the first) is not finite: the "
                  "features or labels are too large",
                  path, problem, std::abs(objective), std::abs(gradient)));
}

std::string why_ended(const Outcome& outcome, double tolerance) {
  return outcome.stuck && outcome.gradient > tolerance ? "; no step decreases the objective" : "";
}

void print_outcomes(const Model& model, const std::vector<Outcome>& outcomes, double tolerance,
                    const std::string& path) {
  std::string text;
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    require_finite(outcomes[k], path, name_of(model, k));
    text += fmt::format("{}objective {:.12g}, gradient {:.3g} of the first{}\n", name_of(model, k),
                        outcomes[k].objective, outcomes[k].gradient, why_ended(outcomes[k], tolerance));
  }
  kasen::Session::current().print(text);
}

void print_quality(const Model& model, const LabelledSamples& samples, const std::string& path) {
  const Quality quality = evaluate(model, samples);
  std::string text = fmt::format("{}: {} samples, ", path, quality.samples);
  if (model.classes.empty()) {
    text += fmt::format("mean squared error {:.8g}\n", quality.squared);
  } else {
    const bool shown = model.classes.size() == 2 && !std::isnan(quality.auc);  // not of samples of one class
    text += fmt::format("accuracy {:.7f}{}\n", quality.accuracy, shown ? fmt::format(", AUC {:.7f}", quality.auc) : "");
  }
  kasen::Session::current().print(text);
}

}  // namespace apps
