/// @file
/// Class Exchange: moves all that crosses the network at one boundary of a plan, vectors in one MPI_Alltoallv or one
/// message to each neighbour, and reductions of Shareds in one MPI_Allreduce. Moves are named by effect; the paper's
/// `gather` is reduce_to_masters, its `scatter` is broadcast_to_replicas (neither is MPI_Gather nor MPI_Scatter).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "comm/messages.h"
#include "comm/shared_reduction.h"
#include "comm/sparse_packing.h"
#include "kasen/base/combine.h"
#include "kasen/base/counts.h"
#include "kasen/base/thread_team.h"

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

/// One vector that moves. `data` is its whole local buffer, whose elements are numbered as the halo's indices.
struct Transfer {
  enum class Kind : std::uint8_t { reduce_to_masters, broadcast_to_replicas };
  Kind kind;
  const Halo* halo;
  void* data;
  std::uint32_t element_bytes;
  Combine combine;  ///< of reduce_to_masters
  /// An element that need not be sent: the identity of what masters combine, or what replicas are at unless they are
  /// sent something else. Empty: all elements are sent. It must outlive the exchange.
  std::span<const std::byte> rest = {};
  /// Of a broadcast with a rest: where elements are not at it, by local index. Known of masters, set of replicas.
  std::uint8_t* active = nullptr;
};

/// The exchange of one boundary, worked out once and run any number of times, which allocates nothing here. A single
/// contiguous vector is sent or received in place; all else is packed. Where transfers have rests it is sparse:
/// messages hold only elements that are not at them, or all where that takes less bytes (sparse_packing.h), and their
/// length is for the sender to know. It runs as a whole, or in parts: move() takes the vectors, or begin() and end()
/// do, and reduce() the Shareds. Between begin() and end() other work may be done that leaves replicas alone, and no
/// other exchange begins.
class Exchange {
 public:
  /// Local. Only Transfer::data and ::active and SharedReduction::value and ::has may change from run to run.
  /// @param silent whether no worker has anything to move; the same on every worker.
  /// @param route of the vectors; the same on every worker. To neighbours, if it is sparse: then all transfers have
  ///        rests.
  /// @param limit bytes; boundaries that may count or displace more, on any worker, go through MPI-4 large counts.
  /// @throws InternalError if the transfers are not as `silent` or their halos' largest_count say
  Exchange(const Communicator& communicator, std::vector<Transfer> transfers, std::vector<SharedReduction> shareds,
           bool silent, Route route = Route::all_to_all, std::uint64_t limit = 0x7fffffffu);

  std::span<Transfer> transfers() { return _transfers; }
  std::span<SharedReduction> shareds() { return _shareds.shareds(); }
  /// Local. Bytes of packing buffers that `run` needs on this worker.
  std::uint64_t packing_bytes() const;

  /// Collective on the communicator. At most one Alltoallv or message to each neighbour, none if it is silent, and one
  /// Allreduce; none at one worker. Masters combine partials in ascending order of workers, Shareds are combined in an
  /// order that depends on the number of workers alone, so the same input gives the same bits, and every worker the
  /// same ones.
  /// @param packing packing_bytes() bytes; any alignment, but 64 bytes save copies.
  /// @param team shares the packing and unpacking of long messages; null: this thread does all.
  /// @return bytes_sent and messages of this worker: the counts given to MPI, of Shareds by definition (P-1) bytes each
  ///         and P-1 messages a boundary; all else 0.
  Counts run(std::span<std::byte> packing, ThreadTeam* team = nullptr);

  /// Collective. The vectors alone. @return their counts.
  Counts move(std::span<std::byte> packing, ThreadTeam* team = nullptr);
  /// Collective. Sends the vectors off, by the nonblocking form of the same calls. `packing` is in use until end().
  /// @return their counts.
  Counts begin(std::span<std::byte> packing, ThreadTeam* team = nullptr);
  /// Local. Lets MPI go on with what has begun, which it does within its calls alone. Cost: about a microsecond.
  void poll();
  /// Local. Waits for what has begun, and puts it where it belongs.
  void end(ThreadTeam* team = nullptr);
  /// Collective. @return the counts of the Shareds.
  Counts reduce();
  /// Local. What a sparse exchange has sent from here when it ran last.
  const Sparse& sparse() const { return _sent; }

 private:
  /// Where messages are, each in a packing buffer or in the vector itself.
  struct Ends {
    std::byte *to, *from;
    bool packed, unpacked;
  };
  bool replicas_stay() const;
  std::uint64_t most_bytes(const Transfer& t, std::uint64_t elements) const;
  void work_out(Route route, std::uint64_t limit);
  Ends ends(std::span<std::byte> packing) const;
  Ends pack(std::span<std::byte> packing, ThreadTeam* team);
  void pack_sparse(std::byte* packed);
  void unpack_sparse(const std::byte* packed);
  void unpack(const Ends& at, ThreadTeam* team);

  const Communicator* _communicator;
  std::vector<Transfer> _transfers;
  SharedReductions _shareds;
  Messages _messages;
  std::uint64_t _bytes_to = 0;  ///< all others
  bool _moves = false;          ///< whether vectors move on any worker
  bool _sparse = false;
  std::vector<MPI_Count> _most_to, _most_from, _counts_to;  ///< of a sparse exchange, by worker
  Sparse _sent;
  Counts _of_vectors, _of_shareds;
  std::span<std::byte> _packing;  ///< that what has begun uses
};

}  // namespace kasen::comm
