/// @file
/// How far a load is from being spread evenly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace kasen::partition {

/// The largest part over the mean of so many parts; 1 if there is nothing to spread.
inline double imbalance_of(std::uint64_t largest, std::uint64_t parts, std::uint64_t sum) {
  return sum == 0 ? 1 : static_cast<double>(largest) * static_cast<double>(parts) / static_cast<double>(sum);
}

/// @param of_parts the load of each part; at least one
inline double imbalance_of(const std::vector<std::uint64_t>& of_parts) {
  return imbalance_of(*std::max_element(of_parts.begin(), of_parts.end()), of_parts.size(),
                      std::accumulate(of_parts.begin(), of_parts.end(), std::uint64_t{0}));
}

/// What partitioners that balance allow a part to have beyond its share.
inline constexpr double kMostOfShare = 1.05;

}  // namespace kasen::partition
