/// @file
/// How messages between workers of one host travel.
#pragma once

#include <cstdint>

namespace kasen::comm {

/// Local. To be called before MPI starts, while there is one thread, as it may add to the environment. Where all
/// workers of the job are on this host, as Hydra or Slurm says, and are no more than the cores that this process may
/// run on, UCX, on which Debian's MPICH stands, is told from which size on messages are not to be copied through shared
/// memory (UCX_RNDV_THRESH): copied_below(), where that is more than UCX takes. What is in the environment stays; a
/// file `ucx.conf` does not count. Does nothing with Open MPI.
void prefer_copies_on_one_host();

/// The size in bytes of the smallest message that so many workers, all on one host of so many cores, do not copy
/// through shared memory; 0: as UCX has it, which is 8 KiB.
std::uint64_t copied_below(std::uint64_t workers, std::uint64_t cores);

}  // namespace kasen::comm
