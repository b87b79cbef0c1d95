/// @file
/// Products with a sparse matrix by the library's own kernels, timed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"

namespace kasen::calibrate {

/// Collective. The seconds that the slowest worker takes for sums of elements of `in`: outputs of so many entries
/// each, whose elements `index` names. They are multiplied by as many `values`; without these, the matrix is a Pattern.
double seconds_of_product(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                          const std::vector<LocalIndex>& index, std::span<const double> in,
                          std::span<const double> values = {});

/// Collective. The same for the least of integers.
double seconds_of_minima(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                         const std::vector<LocalIndex>& index, std::span<const std::int64_t> in);

/// Collective. The same for whether any truth value is set.
double seconds_of_flags(const comm::Communicator& communicator, const std::vector<std::uint64_t>& lengths,
                        const std::vector<LocalIndex>& index, std::span<const bool> in);

}  // namespace kasen::calibrate
