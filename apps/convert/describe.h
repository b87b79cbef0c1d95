/// @file
/// The description of data that kasen-convert --describe prints.
#pragma once

#include <optional>
#include <string>

#include "comm/communicator.h"
#include "kasen/io/data/matrix_data.h"

namespace apps::convert {

/// Collective. Sizes, density, degrees, values, symmetry, ids, labels, and the replicas that each partitioner but metis
/// would make on `workers` workers, unless that is one. The same text on every worker. Cost: two redistributions of the
/// entries, and what automatic partitioning costs.
std::string describe(const kasen::comm::Communicator& communicator, const kasen::io::SparseData& data, int workers);

/// Collective. Sizes, and least, mean and largest number of each column.
std::string describe(const kasen::comm::Communicator& communicator, const kasen::io::DenseData& data);

}  // namespace apps::convert
