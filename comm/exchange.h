/// @file
/// Everything that crosses the network at one boundary of a plan: vectors in one MPI_Alltoallv, reductions of Shareds
/// in one MPI_Allreduce. Named by effect; the paper's `gather` is reduce_to_masters, its `scatter` is
/// broadcast_to_replicas (neither is MPI_Gather nor MPI_Scatter).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "comm/shared_reduction.h"
#include "kasen/base/combine.h"
#include "kasen/base/counts.h"

namespace kasen::comm {

/// Masters and replicas that correspond, as local indices, per other worker and in the same order on both sides.
/// Built once per index space and set of roles; only values ever travel.
struct Halo {
  std::vector<std::uint64_t> master_offsets, replica_offsets;  ///< workers + 1 entries
  std::vector<std::uint32_t> master_index;   ///< my masters that worker w replicates: [offsets[w], offsets[w + 1])
  std::vector<std::uint32_t> replica_index;  ///< my replicas whose masters are on worker w
  bool contiguous = false;                   ///< on every worker replica_index is one run per owner
  /// Equal on all workers, and on each of them at least the size of master_index, of replica_index, and the largest
  /// replica_index plus one. Decides whether a transfer needs large counts: what a worker sees locally cannot, because
  /// all must make the same call.
  std::uint64_t largest_count = 0;
};

/// One vector that moves. `data` is its whole local buffer, numbered as the halo's indices.
struct Transfer {
  enum class Kind : std::uint8_t { reduce_to_masters, broadcast_to_replicas };
  Kind kind;
  const Halo* halo;
  void* data;
  std::uint32_t element_bytes;
  Combine combine;  ///< of reduce_to_masters
};

/// Moves what belongs to one boundary. A single contiguous vector is sent or received in place; all else is packed.
class Exchange {
 public:
  /// @param limit bytes; boundaries that may count or displace more, on any worker, go through MPI-4 large counts.
  explicit Exchange(const Communicator& communicator, std::uint64_t limit = 0x7fffffffu);

  /// Bytes of packing buffers that `run` needs here for these transfers.
  static std::uint64_t packing_bytes(std::span<const Transfer> transfers);

  /// Collective on the communicator, unless no worker has anything to move: transfers of empty halos everywhere
  /// make no MPI call (`silent` must then be true on every worker). At most one Alltoallv and one Allreduce; none at
  /// one worker. Masters combine partials in ascending order of workers, Shareds are combined in an order that depends
  /// on the number of workers alone, so the same input gives the same bits, and every worker the same ones.
  /// @param packing packing_bytes(transfers) bytes; any alignment, but 64 bytes save copies.
  /// @return bytes_sent and messages of this worker: the counts given to MPI, of Shareds by definition (P-1) bytes each
  ///         and P-1 messages a boundary; all else 0.
  Counts run(std::span<const Transfer> transfers, std::span<SharedReduction> shareds, std::span<std::byte> packing,
             bool silent) const;

 private:
  const Communicator* _communicator;
  std::uint64_t _limit;
};

}  // namespace kasen::comm
