/// @file
/// From options to a partitioner.
#pragma once

#include <memory>

#include "kasen/base/options.h"
#include "partition/partitioner.h"

namespace kasen::partition {

/// What --partition and --threshold name; null for automatic. For a file it stands for what the file does not say:
/// spaces that it has not assigned are hashed, and a non-zero goes with its row.
std::unique_ptr<Partitioner> make_partitioner(const Options& options);

}  // namespace kasen::partition
