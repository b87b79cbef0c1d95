/// @file
/// Estimates of a placement for other numbers of workers and other sizes, without the data: replicas expected under
/// hybrid-cut, and of dense matrices where they are cut by rows.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/degrees.h"
#include "kasen/base/placement_stats.h"

namespace kasen::partition {

/// Local. Whether rows of the matrix are whole on their workers: one that is dense or in batches is cut by rows, unless
/// rows have replicas where several workers have recorded it.
bool is_cut_by_rows(const PlacementStats& recorded, MatrixId matrix);

/// Local. The estimate of `recorded` for another number of workers. An element that d non-zeros could take anywhere has
/// replicas on (P-1) (1 - (1 - 1/P)^d) of P workers in the mean, if the hash is ideal: exact expectations for the roles
/// of one matrix. Of a dense matrix that is cut by rows, as it is on one worker by default, rows have no replicas, and
/// columns one on each other worker with rows. Roles of several matrices are taken as independent. Pairs of workers
/// that exchange something are as many as if replicas fell on pairs at random.
/// @param degrees by MatrixId. @throws InputError if a matrix's degrees are not there.
PlacementStats estimate_placement(const PlacementStats& recorded, const std::vector<Degrees>& degrees,
                                  std::uint32_t workers);

/// Local. Gives a matrix in `stats`, an estimate for another number of workers, the blocks that were counted of it,
/// whose runs grow with the outputs that all workers together have, and its stencils as they were.
void estimate_blocks(const PlacementStats& recorded, MatrixId matrix, PlacementStats& stats);

/// Local. The estimate of `recorded` for data of the same kind and other sizes: as many elements of each degree in
/// proportion, and where non-zeros grow by another factor than elements, degrees in proportion. Replicas grow as their
/// estimates do, pairs of workers as if replicas fell on pairs at random, runs in blocks and of stencils with
/// non-zeros. A matrix that is dense stays so, and columns that are low or high stay that, however dense they become.
/// @param masters by SpaceId, @param nonzeros by MatrixId
/// @param degrees by MatrixId; where a matrix has none, replicas grow with the elements
PlacementStats scale_placement(const PlacementStats& recorded, const std::vector<Degrees>& degrees,
                               const std::vector<std::uint64_t>& masters, const std::vector<std::uint64_t>& nonzeros);

/// The expected number of replicas of the elements of a histogram, summed over workers. Local.
/// @param denser by how much degrees are larger
double expected_replicas(const Degrees::Histogram& histogram, std::uint32_t workers, double denser = 1);

}  // namespace kasen::partition
