/// @file
/// The refusal of a file whose matrix would not fit into the memory of workers that have a limit.
#pragma once

#include <string>

#include "comm/communicator.h"
#include "partition/placing_memory.h"

namespace kasen::io {

/// Collective; to be called as soon as a file's header is known. Does nothing without comm::limit_memory.
/// @param grows whether entries are added one by one, to arrays that are copied as they grow
/// @throws AgreedError if a worker's share of the matrix, read and placed, does not fit
void require_within_limit(const comm::Communicator& communicator, const std::string& path,
                          const partition::MatrixSize& matrix, bool grows);

}  // namespace kasen::io
