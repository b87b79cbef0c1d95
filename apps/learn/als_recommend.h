/// @file
/// What users have not rated, and are predicted to rate best.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "apps/learn/als.h"

namespace apps {

struct Recommendation {
  kasen::GlobalIndex user, item;
  double rating;  ///< as predicted
};

/// Collective. For each of these users in turn the `most` items of the highest predicted ratings, highest first, of
/// those without a rating of theirs. Cost: a pass over the ratings, and one over the items, for every 16 users.
std::vector<Recommendation> recommend(const kasen::Matrix<double>& ratings, const Factors& factors,
                                      std::span<const kasen::GlobalIndex> users, std::size_t most);

}  // namespace apps
