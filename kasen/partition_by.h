/// @file
/// Who owns what, as the program says: instead of --partition.
#pragma once

#include "kasen/arrays.h"
#include "kasen/base/owner_function.h"
#include "kasen/base/source_location.h"

namespace kasen {

/// Collective. From here on the session's matrices assign the spaces that they bring by `owner`, a pure function of
/// index and number of workers; every worker calls it for a share of the indices, and keeps 1, 2 or 4 bytes for each.
/// Where non-zeros go is still for --partition to say. With an empty function, owners are as --partition says again.
/// @throws ProgramError in a recorded block. Where a matrix is made, if the function gives something else than a
/// worker, and with --partition FILE, which gives owners itself: ProgramError in make_matrix, AgreedError in what reads
/// a file.
void partition_by(OwnerFunction owner, SourceLocation where = SourceLocation::current());

/// Collective. The same for one space, at once. @throws ProgramError in a recorded block, if the space has owners
/// already, the function is empty, or it gives something else than a worker.
void partition_by(Space space, const OwnerFunction& owner, SourceLocation where = SourceLocation::current());

}  // namespace kasen
