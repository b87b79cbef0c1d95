/// @file
/// Creation of the partitioner that the options name.
#pragma once

#include <memory>

#include "kasen/base/options.h"
#include "partition/partitioner.h"

namespace kasen::partition {

/// The partitioner of --partition and --threshold; null for automatic. For a file it decides what the file does not
/// say: spaces that it has not assigned are hashed, and a non-zero goes with its row. Local.
std::unique_ptr<Partitioner> make_partitioner(const Options& options);

}  // namespace kasen::partition
