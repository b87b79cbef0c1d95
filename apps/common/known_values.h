/// @file
/// Vectors and Rows of values that every worker has alike: first centres, weights of a model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/kasen.h"

namespace apps {

/// Collective. @pre all.size() is space.length()
inline kasen::Vector<double> known_vector(kasen::Space space, std::span<const double> all) {
  const kasen::BlockRange mine = kasen::block_of(space);
  return kasen::make_vector<double>(space, all.subspan(static_cast<std::size_t>(mine.first), mine.count));
}

/// Collective. Rows that lie one behind the other. @pre all.size() is space.length() times width
inline kasen::Rows<double> known_rows(kasen::Space space, std::uint64_t width, std::span<const double> all) {
  const kasen::BlockRange mine = kasen::block_of(space);
  return kasen::make_rows(space, width, all.subspan(static_cast<std::size_t>(mine.first) * width, mine.count * width));
}

}  // namespace apps
