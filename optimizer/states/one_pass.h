/// @file
/// Part `one-pass`: which matrices greedy sweeps walk once for both of their directions.
#pragma once

#include <vector>

#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "kasen/base/program.h"

namespace kasen::optimizer {

/// By MatrixId: the matrices that are stored by rows alone, dense or in batches, with products in both directions,
/// wherever in the program.
std::vector<bool> rows_both_ways(const Program& program, const PlacementStats& stats);

/// Those of them of which sweeps that pull rows may push by them too: a row is whole on its worker, and one of a dense
/// matrix stays in the second-level cache from one product to the next, as tiles of others do. Whether it is whole on
/// any number of workers too is known where there are several now, or where the partition cuts by rows; so plans do not
/// depend on that number.
std::vector<bool> matrices_in_one_pass(const Program& program, const PlacementStats& stats, const Options& options,
                                       const Profile& profile);

}  // namespace kasen::optimizer
