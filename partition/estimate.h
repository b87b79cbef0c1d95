/// @file
/// Estimate of a placement for any number of workers, without the data: replicas expected under hybrid-cut.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/degrees.h"
#include "kasen/base/placement_stats.h"

namespace kasen::partition {

/// Local. The estimate of `recorded` for another number of workers. An element that d non-zeros could take anywhere has
/// replicas on (P-1) (1 - (1 - 1/P)^d) of P workers in the mean, if the hash is ideal: exact expectations for the roles
/// of one matrix. Roles of several matrices are taken as independent. Pairs of workers that exchange something are as
/// many as if replicas fell on pairs at random.
/// @param degrees by MatrixId. @throws InputError if a matrix's degrees are not there.
PlacementStats estimate_placement(const PlacementStats& recorded, const std::vector<Degrees>& degrees,
                                  std::uint32_t workers);

/// The expected number of replicas of the elements of a histogram, summed over workers. Local.
double expected_replicas(const Degrees::Histogram& histogram, std::uint32_t workers);

}  // namespace kasen::partition
