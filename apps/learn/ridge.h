/// @file
/// Ridge regression with cross-validation: Hoerl and Kennard, Ridge Regression: Biased Estimation for Nonorthogonal
/// Problems, 1970. All fits of all folds and penalties come from two passes over the samples, one for means and
/// one for products.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/learn/encoded_table.h"
#include "kasen/kasen.h"

namespace apps {

inline constexpr std::uint64_t kMostRidgeFeatures = 1000;  ///< of which a fold has half a million sums of products

/// What the samples of each fold add to all equations: the sums of the products of all pairs of 1, the features and the
/// target, all but the 1 less their means.
struct FoldProducts {
  std::vector<double> centre;             ///< means of the features, and behind them of the target
  std::vector<std::vector<double>> sums;  ///< by fold, a packed upper triangle (apps/common/cholesky.h)

  std::size_t features() const { return centre.size() - 1; }
};

/// Collective. Two passes over the samples, for their means and for the products; both write nothing, whatever the
/// number of folds. A sample's fold is a random number, by its place and the seed. Memory, on every worker: half the
/// square of the features' number, for each fold and part of a sweep. @pre at most kMostRidgeFeatures features
FoldProducts fold_products(const EncodedTable& table, std::uint64_t folds, std::uint64_t seed);

struct RidgeSettings {
  std::vector<double> penalties;  ///< weights of the sum of the squared weights, beside that of the squared errors
  bool raw = false;               ///< weights are of features as they are; else of features of variance 1
};

/// The score of a sample is its features' weights, and the intercept.
struct RidgeFit {
  std::vector<double> errors;   ///< by penalty, the mean squared error of samples by weights fitted without their fold
  std::size_t best = 0;         ///< the penalty whose error is least; of equal ones the first
  std::vector<double> weights;  ///< with that penalty, fitted to all samples
  double intercept = 0;         ///< which is not penalised
  double error = 0;             ///< the mean squared error of all samples by these
};

/// Local, the same on all workers. Solves the equations of each fold left out and each penalty. A feature that is
/// constant, or that those before it and the penalty determine, has weight 0.
/// @pre all sums are finite; no fold has all samples, and one has some. Cost: for each pair of a fold and a penalty a
/// sixth of the cube of the features' number
RidgeFit ridge(const FoldProducts& products, const RidgeSettings& settings);

}  // namespace apps
