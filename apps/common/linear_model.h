/// @file
/// Linear models, which training makes: saving, loading and evaluating them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "apps/common/samples.h"

namespace apps {

/// A linear model. With two classes it has one problem, whose score is positive for the second; with more a problem for
/// each, of which the highest score wins; without classes the score is the prediction.
struct Model {
  std::vector<double> classes;                 ///< labels, ascending
  std::vector<kasen::Vector<double>> weights;  ///< of each problem, over features
  std::vector<double> intercepts;              ///< of each problem
};

/// Collective. Adds a problem by its weights, of which the last is the intercept if there is a constant feature.
void add_problem(Model& model, std::vector<double> weights, bool constant);

/// Collective. Writes HDF5: `/weights` (features, or problems x features), `/intercepts`, `/classes`; or text: the
/// weights, a column a problem. Memory, for several problems in HDF5: all weights on every worker.
/// @param more numbers for HDF5, each under its name
void save(const Model& model, const std::string& path, const std::vector<std::pair<std::string, double>>& more = {});

/// Collective. Reads a model that save() wrote to HDF5. @param of_classes if false, the labels were numbers
/// @throws InputError (by all workers) "FILE: ..."
Model load(const std::string& path, bool of_classes);

/// The result of training one problem.
struct Outcome {
  double objective;
  double gradient;     ///< its norm relative to the first one's; of the pseudo-gradient with L1
  bool stuck = false;  ///< whether the last step that was looked for was not found
};

/// Local. The end of a line about an outcome: "; no step decreases the objective" if it is stuck and its gradient
/// larger than asked for, else nothing.
std::string why_ended(const Outcome& outcome, double tolerance);

/// Local. @throws Error "FILE: ..." for what is not finite, which every worker says alike
void require_finite(const Outcome& outcome, const std::string& path, const std::string& problem);
/// Prints the outcome of each problem, with its class if there are several, and why_ended().
/// @throws Error as require_finite
void print_outcomes(const Model& model, const std::vector<Outcome>& outcomes, double tolerance,
                    const std::string& path);

struct Quality {
  std::uint64_t samples;
  double accuracy = 0;  ///< the share of samples whose class is predicted
  double auc = 0;       ///< for two classes: the area under the ROC curve, ties averaged
  double squared = 0;   ///< without classes: the mean squared error
};

/// Collective. Cost: a product for each problem. Memory: two numbers a sample on every worker, for the AUC.
Quality evaluate(const Model& model, const LabelledSamples& samples);

/// Collective. Prints how well the model predicts the samples, of the file at `path`.
void print_quality(const Model& model, const LabelledSamples& samples, const std::string& path);

}  // namespace apps
