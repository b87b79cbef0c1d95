/// @file
/// The cores that the threads of workers run on.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.h"

namespace kasen::comm {

/// What a worker's threads find on its host.
struct Cores {
  bool enough = true;  ///< whether all threads of all workers of the host can have a core each
  /// A core for each thread, which is worth binding to: where the launcher has bound workers to cores, and no other
  /// worker to these. Empty: the system is to place threads, within what the process may use.
  std::vector<int> of_threads;
};

/// Collective. The number of threads may differ between workers.
Cores cores_for(const Communicator& communicator, std::uint32_t threads);

/// Local. Binds the calling thread to a core, if the system lets it.
void bind_this_thread(int core) noexcept;

}  // namespace kasen::comm
