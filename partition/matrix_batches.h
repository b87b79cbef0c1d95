/// @file
/// The entries of a matrix that is placed, and those of its rows in batches, on their way to be placed in turn.
#pragma once

#include <cstdint>
#include <vector>

#include "kasen/base/entries.h"
#include "partition/index_space.h"
#include "partition/local_matrix.h"

namespace kasen::partition {

/// The number of a batch, which goes before the value of each of its entries.
using BatchNumber = std::uint32_t;

/// Local. The non-zeros of this worker, in global indices; of a dense matrix all elements. Not of one in batches.
/// Cost: the compressed form by rows, unless there is one; as much memory again.
Entries entries_of(LocalMatrix& matrix, const IndexSpace& rows, const IndexSpace& columns);

/// Local. The same entries in so many batches of `size` rows: row r becomes row r / batches of batch r % batches. Those
/// of rows from size * batches on are dropped.
Entries in_batches(const Entries& entries, BatchNumber batches, std::uint64_t size);

/// Local. Takes the numbers of batches from the values of entries, in their order; rows and columns may have gone.
std::vector<BatchNumber> take_numbers(Entries& entries);

}  // namespace kasen::partition
