/// @file
/// Matching of integers of different workers by value.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"

namespace kasen::io {

/// Collective. For each of this worker's `left` the global index of the first equal number among all workers' `right`,
/// or -1. @param first the global index of this worker's first of `right`; they ascend with the workers.
/// Cost: three all-to-alls, of 16 bytes for each of `right`, and twice 8 for each distinct one of a worker's `left`;
/// memory for what a worker gets of these, a share by hash.
std::vector<GlobalIndex> match_ids(const comm::Communicator& communicator, std::span<const std::int64_t> left,
                                   std::span<const std::int64_t> right, GlobalIndex first);

}  // namespace kasen::io
