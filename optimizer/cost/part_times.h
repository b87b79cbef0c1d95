/// @file
/// Times of what steps are made of: bytes, accesses, computing, calls of kernels, messages. All are integers, so that
/// all workers compute the same.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// Time in sixteenths of a picosecond, summed over workers: so fine, and never divided, that costs of parts add up
/// exactly to the cost of the whole, which bounds rely on. Sums and products stop at the largest number there is.
using Ticks = std::uint64_t;
inline constexpr Ticks kTicksPerPicosecond = 16;
Ticks sum_of(Ticks a, Ticks b);
Ticks product_of(Ticks a, std::uint64_t b);
inline std::uint64_t picoseconds_per_worker(Ticks ticks, std::uint64_t workers) {
  return ticks / kTicksPerPicosecond / workers;
}

/// What something costs on a working set of so many bytes, by its costs on Profile::kWorkingSets.
std::uint64_t at_working_set(std::uint64_t bytes, const std::uint64_t (&costs)[Profile::kSizes]);

/// The time of one access to 8 bytes at a random place of a working set of so many bytes.
std::uint64_t random_access_picoseconds(std::uint64_t working_set, const Profile& profile);

Ticks ticks_per_byte(std::uint64_t bytes_per_second);
std::uint64_t bytes_per_second(Ticks ticks_per_byte);

/// The time of a byte that is read in order, written in order, or sent; by a profile at_footprint() of the program.
struct ByteRates {
  Ticks read, write, send;
};
ByteRates byte_rates(const Profile& profile);

/// The time that a kernel computes, applied to so many elements (of a matrix kernel: non-zeros): its operands and
/// results move through the first-level cache, its function does its work, one operation if that is not known, and a
/// reducer one more.
Ticks ticks_of_compute(const Operation& operation, const std::vector<Value>& values, std::uint64_t applications,
                       const Profile& profile);
/// The time of reaching what so many keys lead to: of a take elements of a vector, read once; of a keyed reduction
/// results, read and written. Of element work that reads wholes, of going through these once for each element. 0 of
/// other operations.
Ticks ticks_of_keys(const Operation& operation, const std::vector<Value>& values, std::uint64_t applications,
                    const PlacementStats& stats, const Profile& profile);
/// What the smaller of a sweep's traffic and computing adds to the larger, which does not hide all of it; by a profile
/// at_footprint() of the program.
Ticks ticks_of_unhidden(Ticks traffic, Ticks compute, const Profile& profile);
/// The time that a step takes whatever it does, summed over workers.
Ticks ticks_of_entering(std::uint64_t workers, const Profile& profile);
/// The time of calling one kernel on a range, summed over workers, in tiles of so many elements.
Ticks ticks_of_launches(std::uint64_t elements, std::uint32_t tile_elements, std::uint64_t workers,
                        const Profile& profile);

/// The times of an exchange without its bytes (see ByteRates): of `messages`, directed pairs of workers that exchange
/// vectors, of packing and unpacking, and of the reduction of any number of Shareds. Elements are packed one by one, by
/// owners in the order in which others need them: their masters may lie anywhere.
Ticks ticks_of_messages(std::uint64_t messages, const Profile& profile);
/// What one call of all workers takes for directed pairs of them that have nothing for each other, and what messages to
/// neighbours take more than those of such a call.
Ticks ticks_of_route(std::uint64_t idle_pairs, std::uint64_t own_messages);
Ticks ticks_of_packing(const Value& value, std::uint64_t replicas, const PlacementStats& stats, const Profile& profile);
Ticks ticks_of_reduction(std::uint64_t workers, const Profile& profile);

}  // namespace kasen::optimizer
