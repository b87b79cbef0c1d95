/// @file
/// Parts of sweeps, which threads share out among themselves. How a sweep is cut depends on its elements, what
/// they are of, and its non-zeros alone, so that partial results of its parts give the same bits on any number of
/// threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kasen/base/ids.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// Elements [first, end) of a stretch, which one thread walks in order.
struct Part {
  std::size_t stretch;
  LocalIndex first, end;
  std::uint64_t weight;  ///< elements and non-zeros
};

/// The most parts of a sweep. Few enough that what a part costs by itself does not show, and enough to be shared evenly
/// by any number of threads that a worker may have.
inline constexpr std::uint64_t kMostParts = 120;

/// Cuts stretches of elements into parts of about equal weight, in order.
/// @param entries the non-zeros of the elements [first, end); rises with `end`. Empty: none.
/// @param unit parts begin at multiples of it, counted from the beginning of their stretch.
/// @param least the least weight of a part, but of the only one of its stretch.
std::vector<Part> cut(std::span<const partition::Interval> stretches,
                      const std::function<std::uint64_t(LocalIndex first, LocalIndex end)>& entries, LocalIndex unit,
                      std::uint64_t least);

/// Shares consecutive things of these weights out among threads: thread t gets [result[t], result[t + 1]).
std::vector<std::size_t> share_out(std::span<const std::uint64_t> weights, std::uint32_t threads);
/// The same of parts by their weights, among at most so many threads, and no more than there are parts, but one.
std::vector<std::size_t> share_out(std::span<const Part> parts, std::size_t most);

}  // namespace kasen::runtime
