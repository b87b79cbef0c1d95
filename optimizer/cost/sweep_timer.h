/// @file
/// Times of sweeps, from their stream counts, of the worker with the most non-zeros, which the others wait for.
#pragma once

#include <cstdint>

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/cost/part_times.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// The time of a sweep, by what takes it.
struct SweepTime {
  Ticks stream = 0;    ///< bytes read and written in order, at memory bandwidth
  Ticks compute = 0;   ///< arithmetic; it and the stream hide each other,
  Ticks unhidden = 0;  ///< but for this
  Ticks random = 0;    ///< a matrix sweep's accesses to its vectors, per non-zero and distinct vector, and their work
  Ticks launches = 0;  ///< the step itself; calls of kernels, one for every tile, their rows and turns
  Ticks all() const { return sum_of(sum_of(sum_of(stream > compute ? stream : compute, unhidden), random), launches); }
};

/// Whether a row of a dense matrix stays in the second-level cache while one product after the other walks it.
bool keeps_row(MatrixId matrix, const PlacementStats& stats, const Profile& profile);

/// The time of a sweep whose stream counts are set, on the slowest worker.
SweepTime time_of_sweep(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile);

/// The number of threads that share a sweep's elements on a worker, of at most so many.
std::uint64_t threads_of_sweep(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile,
                               std::uint32_t most);

/// Sets the times of pushing active elements, and up to how many it takes less than `walk`, the sweep's own time in
/// picoseconds.
void time_active(const Plan& plan, Step& step, std::uint64_t walk, const PlacementStats& stats, const Profile& profile);

/// Sets the times of visiting the elements that a delta iteration may have changed: each of them is a random access to
/// every vector.
void time_delta_update(const Plan& plan, Step& step, const PlacementStats& stats, const Profile& profile);

}  // namespace kasen::optimizer
