/// @file
/// The cores that the threads of workers run on.
#pragma once

#include <sched.h>

#include <cstdint>
#include <vector>

#include "comm/communicator.h"

namespace kasen::comm {

/// What a worker's threads find on its host.
struct Cores {
  bool enough = true;  ///< whether all threads of all workers of the host can have a core each
  /// A core for each thread, to bind it to: of those that the launcher has bound the worker to, and no other worker; or
  /// of those of the host, if there are enough and some worker has several threads. Empty: the system is to place
  /// threads, within what the process may use.
  std::vector<int> of_threads;
};

/// Collective. The number of threads may differ between workers.
Cores cores_for(const Communicator& communicator, std::uint32_t threads);

/// Local. Binds the calling thread to a core, if the system lets it.
void bind_this_thread(int core) noexcept;

/// Binds the thread that makes it to the core of thread 0, and at the end lets it go where it could go before.
class CoreBinding {
 public:
  /// Local. Binds nothing if threads have no cores of their own.
  explicit CoreBinding(const Cores& cores) noexcept;
  CoreBinding(const CoreBinding&) = delete;
  CoreBinding& operator=(const CoreBinding&) = delete;
  ~CoreBinding();

 private:
  cpu_set_t _before;
  bool _bound;
};

}  // namespace kasen::comm
