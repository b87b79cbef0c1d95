/// @file
/// Linear models, which training makes: saving, loading and evaluating them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/lbfgs/samples.h"

namespace apps {

/// A linear model. With two classes it has one problem, whose score is positive for the second; with more a problem for
/// each, of which the highest score wins; without classes the score is the prediction.
struct Model {
  std::vector<double> classes;                 ///< labels, ascending
  std::vector<kasen::Vector<double>> weights;  ///< of each problem, over features
  std::vector<double> intercepts;              ///< of each problem
};

/// Collective. Writes HDF5: `/weights` (features, or problems x features), `/intercepts`, `/classes`; or text: the
/// weights, a column a problem. Memory, for several problems in HDF5: all weights on every worker.
void save(const Model& model, const std::string& path);

/// Collective. Reads a model that save() wrote to HDF5. @param of_classes if false, the labels were numbers
/// @throws InputError (agreed) "FILE: ..."
Model load(const std::string& path, bool of_classes);

struct Quality {
  std::uint64_t samples;
  double accuracy = 0;  ///< the share of samples whose class is predicted
  double auc = 0;       ///< for two classes: the area under the ROC curve, ties averaged
  double squared = 0;   ///< without classes: the mean squared error
};

/// Collective. Cost: a product for each problem. Memory: two numbers a sample on every worker, for the AUC.
Quality evaluate(const Model& model, const LabelledSamples& samples);

}  // namespace apps
