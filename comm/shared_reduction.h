/// @file
/// Reduction of all Shareds of a boundary in one collective call: MPI_Allreduce with MPICH, MPI_Allgather with others.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/combine.h"

namespace kasen::comm {

/// One Shared to be reduced over workers. `has`: this worker contributes a value; after the run, any worker did.
struct SharedReduction {
  void* value;
  std::uint32_t bytes;
  Combine combine;
  bool has;
};

/// The Shareds of one boundary, prepared once, so that a run allocates nothing here.
class SharedReductions {
 public:
  /// Local. `shareds` differ over workers in `value` and `has` alone, which may change from run to run.
  /// @param limit bytes; above it the type is described by large counts.
  SharedReductions(const Communicator& communicator, std::vector<SharedReduction> shareds, std::uint64_t limit);
  ~SharedReductions();
  SharedReductions(SharedReductions&&) noexcept;
  SharedReductions& operator=(SharedReductions&&) noexcept;

  std::span<SharedReduction> shareds();
  /// Collective. Reduces; afterwards every worker holds the same bits. @throws what a user's function threw
  void run();

 private:
  class Prepared;
  std::unique_ptr<Prepared> _prepared;
};

}  // namespace kasen::comm
