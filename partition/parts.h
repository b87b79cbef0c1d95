/// @file
/// Placement in parts: a matrix is partitioned for any number of workers on one machine, to count what each would hold.
#pragma once

#include <cstdint>

#include "kasen/base/entries.h"
#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "partition/assignment.h"

namespace kasen::partition {

/// Local. The statistics that Placement::add_matrix would give on `workers` workers for the first matrix over its
/// spaces, number 0. `stats` has the spaces and the matrix, with names and bytes; its numbers are replaced, and those
/// of spaces without matrix are as they were. Options: partition, threshold, storage and the edge of blocks, and
/// numbering, where automatic is taken as by index: no cache is known. Stencils are not looked for. `owners`: of the
/// rows, of a square matrix over one space also of the columns, if they are given. Cost: a few sorts of the non-zeros.
void place_in_parts(const Entries& entries, std::uint64_t rows, std::uint64_t columns, std::uint32_t workers,
                    const Options& options, PlacementStats& stats, const Assignment* owners = nullptr);

}  // namespace kasen::partition
