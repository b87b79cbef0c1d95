/// @file
/// The functions and plain values of pending work, which are the same on all workers.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/recording/recorder.h"

namespace kasen {

/// Those of calls, and the first values of Shareds, with the lines that gave them. Local.
std::vector<recording::GivenValue> given_values(const recording::Pending& pending);
/// Of all of them.
std::uint64_t hash_of(const std::vector<recording::GivenValue>& given);

}  // namespace kasen
