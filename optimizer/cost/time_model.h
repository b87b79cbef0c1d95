/// @file
/// The predicted time of steps and plans, from their stream counts and the machine profile: what `--fusion exact`
/// minimises. Integers throughout, so that all workers reckon alike.
#pragma once

#include <cstdint>

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Sixteenths of a picosecond, summed over workers: so fine, and never divided, that costs of parts add up exactly to
/// the cost of the whole, which bounds rely on. Sums and products stop at the largest number there is.
using Ticks = std::uint64_t;
inline constexpr Ticks kTicksPerPicosecond = 16;
Ticks sum_of(Ticks a, Ticks b);
Ticks product_of(Ticks a, std::uint64_t b);
inline std::uint64_t picoseconds_per_worker(Ticks ticks, std::uint64_t workers) {
  return ticks / kTicksPerPicosecond / workers;
}

/// One access to 8 bytes at a random place of a working set of so many bytes. Half of each cache level is counted on,
/// the rest belongs to what streams through. A working set beyond a level is served by it in proportion.
std::uint64_t random_access_picoseconds(std::uint64_t working_set, const Profile& profile);

/// What a byte costs that is read or written in order, or sent.
struct ByteRates {
  Ticks read, write, send;
};
ByteRates byte_rates(const Profile& profile);

/// What one kernel computes on so many elements (of a matrix kernel: non-zeros) of this size.
Ticks ticks_of_compute(std::uint64_t elements, std::uint64_t element_bytes, const Profile& profile);
/// The calls of one kernel on a range, summed over workers, in tiles of so many elements.
Ticks ticks_of_launches(std::uint64_t elements, std::uint32_t tile_elements, std::uint64_t workers,
                        const Profile& profile);

/// What a sweep costs.
struct SweepTime {
  Ticks stream = 0;    ///< bytes read and written in order, at memory bandwidth
  Ticks compute = 0;   ///< arithmetic; it and the stream hide each other
  Ticks random = 0;    ///< a matrix sweep's accesses to its vectors: per non-zero and distinct vector
  Ticks launches = 0;  ///< calls of kernels: one for every tile
  Ticks all() const { return sum_of(sum_of(stream > compute ? stream : compute, random), launches); }
};

/// Requires the step's stream counts; all workers are taken to have the same share.
SweepTime time_of_sweep(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile);

/// The parts of an exchange: `messages`, directed pairs of workers that exchange vectors, and the reduction of any
/// number of Shareds. (Bytes go by ByteRates.)
Ticks ticks_of_messages(std::uint64_t messages, const Profile& profile);
Ticks ticks_of_reduction(std::uint64_t workers, const Profile& profile);

/// Of one entry. Loops and branches count themselves nothing. Requires the step's stream counts.
Ticks ticks_of(const Plan& plan, const Step& step, const PlacementStats& stats, const Profile& profile);

/// Iterations an inner loop is taken to make; a branch is taken to run both sides.
std::uint64_t weight_at(int depth);

/// Fills Step::picoseconds and Plan::time. Requires assign_costs().
void assign_seconds(Plan& plan, const PlacementStats& stats, const Profile& profile);

}  // namespace kasen::optimizer
