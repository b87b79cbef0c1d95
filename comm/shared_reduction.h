/// @file
/// All Shared reductions of a boundary in one MPI_Allreduce.
#pragma once

#include <cstdint>
#include <span>

#include "comm/communicator.h"
#include "comm/exchange.h"

namespace kasen::comm {

/// Collective; `shareds` differ over workers in values and `has` alone. Afterwards every worker holds the same bits.
/// @param limit bytes; above it the type is described by large counts.
void reduce_shareds(const Communicator& communicator, std::span<SharedReduction> shareds, std::uint64_t limit);

}  // namespace kasen::comm
