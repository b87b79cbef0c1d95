/// @file
/// Alternating least squares: a factorisation of ratings into factors of users and of items, by conjugate gradients, as
/// SystemML's ALS-CG (Boehm et al., SystemML: Declarative Machine Learning on Spark, VLDB 2016).
#pragma once

#include <cstdint>

#include "apps/common/stopping.h"
#include "kasen/kasen.h"

namespace apps {

/// What is minimised: half the sum of the squared errors of the ratings, and of the penalty times the squared norms of
/// all factors; `weighted`: of each as often as it has ratings, at least once.
struct Factoring {
  std::uint64_t rank = 10;
  double penalty = 0.1;
  bool weighted = false;
  std::uint64_t seed = 1;  ///< of the factors that it begins with, uniform between -1/2 and 1/2
  Stopping stopping;       ///< by the decrease of the loss relative to it
};

/// The rating of item j by user i is users[i] . items[j], up to an error.
struct Factors {
  kasen::Rows<double> users, items;
  kasen::Shared<double> loss, squares;  ///< what is minimised, and the sum of the squared errors alone
};

/// Factors ratings, one user a row. An iteration takes one pass over the ratings for each step of conjugate gradients,
/// at most as many as the rank for users and for items, and one for each of the two gradients they start from.
Factors als(const kasen::Matrix<double>& ratings, const Factoring& factoring);

/// Collective. How many there are.
std::uint64_t count_ratings(const kasen::Matrix<double>& ratings);
/// The sum of the squared errors.
kasen::Shared<double> squared_errors(const kasen::Matrix<double>& ratings, const kasen::Rows<double>& users,
                                     const kasen::Rows<double>& items);

}  // namespace apps
