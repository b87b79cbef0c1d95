/// @file
/// A score of how safe large cities are, from a table of cities: the workload "crime index" of Palkar et al.,
/// Evaluating End-to-End Optimization for Data Analytics Applications in Weld (PVLDB 11, 2018).
#pragma once

#include <cstdint>

#include "kasen/kasen.h"

namespace apps {

struct Cities {
  kasen::Vector<double> population, adults, robberies;
};

struct CrimeIndex {
  std::int64_t cities;  ///< that are large
  double total;         ///< of their scores
};

/// Collective. Of cities with more people than `most_of_small`: scores (population + 2 adults - 2000 robberies) /
/// 100,000, of which those above 0.02 count as 0.032, and those below 0.01 as 0.005. One pass over the columns, nothing
/// stored.
CrimeIndex crime_index(const Cities& cities, double most_of_small);

}  // namespace apps
