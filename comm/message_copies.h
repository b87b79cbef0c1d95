/// @file
/// How messages between workers of one host travel.
#pragma once

namespace kasen::comm {

/// Local. To be called before MPI starts, while there is one thread, as it may add to the environment. Where the
/// launcher says that all workers of the job are on this host, UCX, on which Debian's MPICH stands, is told to copy
/// messages of up to 128 KiB through shared memory (UCX_RNDV_THRESH), unless the environment says something else. By
/// itself it has receivers of more than 8 KB ask the kernel for the sender's memory, for which both sides wait.
void copy_messages_on_one_host();

}  // namespace kasen::comm
