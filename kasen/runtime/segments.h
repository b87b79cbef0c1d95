/// @file
/// Segments of local indices that a sweep walks: masters, then runs of replicas, each with the launches that run on it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "optimizer/plan/plan.h"
#include "partition/index_space.h"

namespace kasen::runtime {

/// Consecutive local indices on which the same launches of a sweep are active.
struct Segment {
  LocalIndex first = 0;
  LocalIndex count = 0;
  std::vector<std::uint32_t> launches;  ///< run here, in the sweep's order
  std::vector<std::uint32_t> copies;    ///< launches whose input is copied to their output here
};

/// All segments of a sweep in ascending order: all masters with all launches, then replicas where anything is to do.
std::vector<Segment> segments(std::span<const optimizer::Launch> launches, const partition::IndexSpace& space);

}  // namespace kasen::runtime
