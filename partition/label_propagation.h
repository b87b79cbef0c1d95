/// @file
/// The partitioner by label propagation, for graphs beyond METIS: it runs on all workers, each with its share of the
/// non-zeros (after ParHIP: Meyerhenke, Sanders and Schulz 2017).
#pragma once

#include <cstdint>
#include <memory>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "partition/partitioner.h"

namespace kasen::partition {

/// A multilevel partitioner for few replicas. Clusters that label propagation finds become the vertices of ever coarser
/// graphs (clusters.h), until METIS takes one on worker 0; on the way back, label propagation refines the parts of each
/// graph (refine_parts.h). No part has more than 1.05 of its share of the load, non-zeros and kElementLoad an element,
/// unless a few elements have more than that.
///
/// Graph and rule are those of metis_partitioner(); one part has the rule of blocks. Elements of a space whose owners
/// are fixed cannot be placed anew: then the other one is hashed. Deterministic; the same for any number of workers,
/// wherever the entries are.
/// @throws InputError (by all workers) from kMostPropagated elements on
/// Cost: a worker needs some 100 bytes for each of its non-zeros and elements; each non-zero travels twice, as 8
/// bytes, and what is known of an element some twenty times. The owners are a table.
std::unique_ptr<Partitioner> label_propagation_partitioner();
inline constexpr std::uint64_t kMostPropagated = std::uint64_t{1} << 31;

}  // namespace kasen::partition
