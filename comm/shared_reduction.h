/// @file
/// All Shared reductions of a boundary in one MPI_Allreduce.
#pragma once

#include <cstdint>
#include <span>

#include "comm/communicator.h"
#include "kasen/base/combine.h"

namespace kasen::comm {

/// One Shared to be reduced over workers. `has`: this worker contributes a value; after the call: any worker did.
struct SharedReduction {
  void* value;
  std::uint32_t bytes;
  Combine combine;
  bool has;
};

/// Collective; `shareds` differ over workers in values and `has` alone. Afterwards every worker holds the same bits.
/// @param limit bytes; above it the type is described by large counts.
void reduce_shareds(const Communicator& communicator, std::span<SharedReduction> shareds, std::uint64_t limit);

}  // namespace kasen::comm
