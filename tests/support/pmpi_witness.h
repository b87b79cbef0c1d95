/// @file
/// A second opinion on traffic: an MPI profiling layer that sums, per communicator, what is given to MPI. It shares
/// nothing with Kasen's own counters. A test that links it has its MPI_Alltoallv, MPI_Allreduce and their nonblocking
/// and large-count forms wrapped, and MPI_Isend_c, whoever calls them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kasen::tests {

/// Of one worker, since the start or the last reset.
struct Witness {
  std::uint64_t vector_calls = 0;              ///< of any form of MPI_Alltoallv
  std::uint64_t vector_large_calls = 0;        ///< those of them with MPI-4 large counts
  std::uint64_t vector_bytes = 0;              ///< to other workers
  std::uint64_t vector_messages = 0;           ///< other workers that got at least a byte, summed over calls
  std::uint64_t neighbour_messages = 0;        ///< those of them that were sent to neighbours
  std::vector<std::uint64_t> reduction_bytes;  ///< of any form of MPI_Allreduce: count times type size, by call
};

/// What this worker gave to MPI on all communicators with this name (MPI_Comm_set_name). Local.
Witness witness(const std::string& communicator = "kasen.steps");

/// Forgets everything, on all communicators. Local.
void reset_witness();

}  // namespace kasen::tests
