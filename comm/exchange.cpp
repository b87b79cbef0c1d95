/// @file
/// From transfers to the four arrays of one MPI_Alltoallv in bytes. A message to a worker holds its parts of the
/// transfers one after the other.
#include "comm/exchange.h"

#include <algorithm>
#include <string>

#include "comm/mpi_call.h"
#include "comm/packing.h"
#include "comm/shared_reduction.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

constexpr std::uint64_t kIntLimit = 0x7fffffff;

/// One end of a transfer: the elements that leave this worker, or those that arrive.
struct End {
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> index;
  bool replicas;  ///< of the replicas, not of the masters
  std::span<const std::uint32_t> with(std::size_t worker) const {
    return index.subspan(offsets[worker], offsets[worker + 1] - offsets[worker]);
  }
};

End masters_of(const Transfer& t) { return {t.halo->master_offsets, t.halo->master_index, false}; }
End replicas_of(const Transfer& t) { return {t.halo->replica_offsets, t.halo->replica_index, true}; }
bool is_gather(const Transfer& t) { return t.kind == Transfer::Kind::reduce_to_masters; }
End outgoing(const Transfer& t) { return is_gather(t) ? replicas_of(t) : masters_of(t); }
End incoming(const Transfer& t) { return is_gather(t) ? masters_of(t) : replicas_of(t); }

/// The replicas of a single contiguous transfer stay where they are.
bool in_place(std::span<const Transfer> transfers) { return transfers.size() == 1 && transfers[0].halo->contiguous; }

/// What one direction of the Alltoallv is told: per worker a count and a displacement from `base`, in bytes.
struct Messages {
  std::byte* base = nullptr;
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
  std::uint64_t bytes = 0;  ///< in all
};

Messages messages(std::span<const Transfer> transfers, End (*end_of)(const Transfer&), std::size_t workers) {
  Messages result{nullptr, std::vector<MPI_Count>(workers), std::vector<MPI_Aint>(workers), 0};
  for (std::size_t w = 0; w < workers; ++w) {
    std::uint64_t count = 0;
    for (const Transfer& t : transfers) count += end_of(t).with(w).size() * t.element_bytes;
    result.counts[w] = static_cast<MPI_Count>(count);
    result.displacements[w] = static_cast<MPI_Aint>(result.bytes);
    result.bytes += count;
  }
  return result;
}

/// Points the messages of `transfer`'s replicas into its own buffer.
void place_in(const Transfer& transfer, Messages& messages) {
  const End replicas = replicas_of(transfer);
  messages.base = static_cast<std::byte*>(transfer.data);
  for (std::size_t w = 0; w < messages.counts.size(); ++w) {
    const auto run = replicas.with(w);
    messages.displacements[w] = run.empty() ? 0 : static_cast<MPI_Aint>(std::uint64_t{run[0]} * transfer.element_bytes);
  }
}

void pack_all(std::span<const Transfer> transfers, const Messages& to) {
  std::byte* packed = to.base;
  for (std::size_t w = 0; w < to.counts.size(); ++w) {
    for (const Transfer& t : transfers) {
      const End end = outgoing(t);
      packed = pack(packed, static_cast<const std::byte*>(t.data), end.with(w), t.element_bytes,
                    end.replicas && t.halo->contiguous);
    }
  }
}

void unpack_all(std::span<const Transfer> transfers, const Messages& from) {
  const std::byte* packed = from.base;
  for (std::size_t w = 0; w < from.counts.size(); ++w) {
    for (const Transfer& t : transfers) {
      auto* data = static_cast<std::byte*>(t.data);
      const auto index = incoming(t).with(w);
      packed = is_gather(t) ? fold(packed, data, index, t.element_bytes, t.combine)
                            : unpack(packed, data, index, t.element_bytes, t.halo->contiguous);
    }
  }
}

/// Whether this boundary needs large counts on any worker; the same answer on all of them.
bool is_large(std::span<const Transfer> transfers, std::uint64_t limit) {
  std::uint64_t bytes = 0;
  for (const Transfer& t : transfers) bytes += t.halo->largest_count * t.element_bytes;
  return bytes > limit;
}

void check_fits(const Messages& messages, std::uint64_t limit) {
  for (std::size_t w = 0; w < messages.counts.size(); ++w) {
    const auto largest = std::max<std::uint64_t>(static_cast<std::uint64_t>(messages.counts[w]),
                                                 static_cast<std::uint64_t>(messages.displacements[w]));
    if (largest > limit) {
      throw InternalError("an exchange counts " + std::to_string(largest) +
                          " bytes, more than its halos' largest_count promises");
    }
  }
}

void all_to_all_large(const Communicator& c, const Messages& to, const Messages& from) {
  collective(
      c.oversubscribed(), "MPI_Alltoallv_c",
      [&] {
        return MPI_Alltoallv_c(to.base, to.counts.data(), to.displacements.data(), MPI_BYTE, from.base,
                               from.counts.data(), from.displacements.data(), MPI_BYTE, c.native());
      },
      [&](MPI_Request* request) {
        return MPI_Ialltoallv_c(to.base, to.counts.data(), to.displacements.data(), MPI_BYTE, from.base,
                                from.counts.data(), from.displacements.data(), MPI_BYTE, c.native(), request);
      });
}

void all_to_all(const Communicator& c, const Messages& to, const Messages& from) {
  const auto ints = [](const auto& wide) { return std::vector<int>(wide.begin(), wide.end()); };
  const std::vector<int> to_counts = ints(to.counts), to_displacements = ints(to.displacements);
  const std::vector<int> from_counts = ints(from.counts), from_displacements = ints(from.displacements);
  collective(
      c.oversubscribed(), "MPI_Alltoallv",
      [&] {
        return MPI_Alltoallv(to.base, to_counts.data(), to_displacements.data(), MPI_BYTE, from.base,
                             from_counts.data(), from_displacements.data(), MPI_BYTE, c.native());
      },
      [&](MPI_Request* request) {
        return MPI_Ialltoallv(to.base, to_counts.data(), to_displacements.data(), MPI_BYTE, from.base,
                              from_counts.data(), from_displacements.data(), MPI_BYTE, c.native(), request);
      });
}

Counts move_vectors(const Communicator& communicator, std::span<const Transfer> transfers, std::span<std::byte> packing,
                    std::uint64_t limit) {
  const auto workers = static_cast<std::size_t>(communicator.size());
  Messages to = messages(transfers, &outgoing, workers), from = messages(transfers, &incoming, workers);
  const bool replicas_stay = in_place(transfers);
  const bool masters_send = replicas_stay && !is_gather(transfers[0]);
  const bool masters_receive = replicas_stay && is_gather(transfers[0]);
  // Packing buffers: what is sent, then what is received; without the side that stays in place.
  to.base = packing.data();
  from.base = packing.data() + (masters_receive ? 0 : to.bytes);
  if (masters_receive) place_in(transfers[0], to);
  if (masters_send) place_in(transfers[0], from);

  const bool large = is_large(transfers, limit);
  if (!large) {
    check_fits(to, limit);
    check_fits(from, limit);
  }
  if (!masters_receive) pack_all(transfers, to);
  large ? all_to_all_large(communicator, to, from) : all_to_all(communicator, to, from);
  if (!masters_send) unpack_all(transfers, from);

  Counts counts;
  for (std::size_t w = 0; w < workers; ++w) {
    if (static_cast<Rank>(w) == communicator.rank() || to.counts[w] == 0) continue;
    counts.bytes_sent += static_cast<std::uint64_t>(to.counts[w]);
    counts.messages += 1;
  }
  return counts;
}

}  // namespace

Exchange::Exchange(const Communicator& communicator, std::uint64_t limit)
    : _communicator(&communicator), _limit(std::min(limit, kIntLimit)) {}

std::uint64_t Exchange::packing_bytes(std::span<const Transfer> transfers) {
  const bool replicas_stay = in_place(transfers);
  std::uint64_t bytes = 0;
  for (const Transfer& t : transfers) {
    const std::uint64_t elements = t.halo->master_index.size() + (replicas_stay ? 0 : t.halo->replica_index.size());
    bytes += elements * t.element_bytes;
  }
  return bytes;
}

Counts Exchange::run(std::span<const Transfer> transfers, std::span<SharedReduction> shareds,
                     std::span<std::byte> packing, bool silent) const {
  Counts counts;
  const int workers = _communicator->size();
  if (workers == 1) return counts;
  if (silent) {
    const auto is_empty = [](const Transfer& t) {
      return t.halo->master_index.empty() && t.halo->replica_index.empty();
    };
    if (!std::all_of(transfers.begin(), transfers.end(), is_empty)) {
      throw InternalError("an exchange planned without traffic has elements to move");
    }
  } else if (!transfers.empty()) {
    if (packing.size() < packing_bytes(transfers)) throw InternalError("an exchange got too small packing buffers");
    counts += move_vectors(*_communicator, transfers, packing, _limit);
  }
  if (!shareds.empty()) {
    reduce_shareds(*_communicator, shareds, _limit);
    const auto others = static_cast<std::uint64_t>(workers - 1);
    for (const SharedReduction& shared : shareds) counts.bytes_sent += others * shared.bytes;
    counts.messages += others;
  }
  return counts;
}

}  // namespace kasen::comm
