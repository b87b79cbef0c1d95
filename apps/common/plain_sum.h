/// @file
/// Sums over workers for verifiers, which use nothing of Kasen but its communicator and readers.
#pragma once

#include <vector>

namespace apps {

/// Collective. The element-wise sum of all workers' vectors, which have one length. Memory: the vector twice.
std::vector<double> sum_over_workers(const std::vector<double>& mine);

}  // namespace apps
