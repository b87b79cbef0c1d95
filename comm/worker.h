/// @file
/// The rank of this process, known also where MPI cannot be asked.
#pragma once

namespace kasen::comm {

/// The rank of this process among all workers; 0 while that is not known. Safe in signal handlers.
int worker() noexcept;
void remember_worker(int rank) noexcept;

}  // namespace kasen::comm
