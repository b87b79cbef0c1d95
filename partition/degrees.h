/// @file
/// Counting of the degrees of a matrix that is spread over workers in any way.
#pragma once

#include <cstdint>

#include "comm/communicator.h"
#include "kasen/base/degrees.h"
#include "kasen/base/entries.h"

namespace kasen::partition {

/// Collective. Histograms of the degrees, the same on every worker. `one_space`: whether rows and columns are elements
/// of one index space; its diagonal then needs no replicas and is left out.
/// Cost: every non-zero travels twice at most, as a pair of indices and as a row; 32 bytes of memory a non-zero.
Degrees measure_degrees(const comm::Communicator& communicator, const Entries& entries, std::uint64_t rows,
                        std::uint64_t columns, bool one_space, std::uint64_t threshold);

}  // namespace kasen::partition
