/// @file
/// Conversion of transfers to messages in bytes. A message to a worker holds its parts of
/// the transfers one after the other.
#include "comm/exchange.h"

#include <algorithm>
#include <string>
#include <utility>

#include "comm/packing.h"
#include "comm/shared_reduction.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

constexpr std::uint64_t kIntLimit = 0x7fffffff;
/// The fewest elements that a thread is woken for, and of which number its share begins at a multiple.
constexpr std::size_t kFewestElements = 8192, kLine = 64;

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

/// A vector's own buffer is where its replicas are sent from or received to.
void place_in(const Transfer& transfer, std::vector<MPI_Aint>& displacements) {
  const End replicas = replicas_of(transfer);
  for (std::size_t w = 0; w < displacements.size(); ++w) {
    const auto run = replicas.with(w);
    displacements[w] = run.empty() ? 0 : static_cast<MPI_Aint>(std::uint64_t{run[0]} * transfer.element_bytes);
  }
}

/// Calls take(run, first) for runs of `index`, the first of which is element `first`, on the threads of the team.
template <class Take>
void in_parts(ThreadTeam* team, std::span<const std::uint32_t> index, const Take& take) {
  const std::size_t most = team == nullptr ? 1 : team->size();
  const std::size_t parts = std::clamp<std::size_t>(index.size() / kFewestElements, 1, most);
  if (parts == 1) return take(index, std::size_t{0});
  const auto begin_of = [&](std::size_t part) {
    return part == parts ? index.size() : index.size() * part / parts / kLine * kLine;
  };
  team->run(static_cast<std::uint32_t>(parts), [&](std::uint32_t part) {
    const std::size_t first = begin_of(part);
    take(index.subspan(first, begin_of(part + 1) - first), first);
  });
}

void pack_all(std::span<const Transfer> transfers, std::size_t workers, std::byte* packed, ThreadTeam* team) {
  for (std::size_t w = 0; w < workers; ++w) {
    for (const Transfer& t : transfers) {
      const End end = outgoing(t);
      const auto whole = end.with(w);
      in_parts(team, whole, [&](std::span<const std::uint32_t> index, std::size_t first) {
        pack(packed + first * t.element_bytes, static_cast<const std::byte*>(t.data), index, t.element_bytes,
             end.replicas && t.halo->contiguous);
      });
      packed += whole.size() * t.element_bytes;
    }
  }
}

/// One worker's elements after the other's, which may be for the same masters; no two of one worker are.
void unpack_all(std::span<const Transfer> transfers, std::size_t workers, const std::byte* packed, ThreadTeam* team) {
  for (std::size_t w = 0; w < workers; ++w) {
    for (const Transfer& t : transfers) {
      auto* data = static_cast<std::byte*>(t.data);
      const auto whole = incoming(t).with(w);
      in_parts(team, whole, [&](std::span<const std::uint32_t> index, std::size_t first) {
        const std::byte* const from = packed + first * t.element_bytes;
        if (is_gather(t)) {
          fold(from, data, index, t.element_bytes, t.combine);
        } else {
          unpack(from, data, index, t.element_bytes, t.halo->contiguous);
        }
      });
      packed += whole.size() * t.element_bytes;
    }
  }
}

/// Whether this boundary needs large counts on any worker; the same answer on all of them.
/// @param listed bytes of each transfer that say which elements travel, at most
bool is_large(std::span<const Transfer> transfers, std::uint64_t listed, std::uint64_t limit) {
  std::uint64_t bytes = 0;
  for (const Transfer& t : transfers) bytes += t.halo->largest_count * t.element_bytes + listed;
  return bytes > limit;
}

/// @throws InternalError if numbers that small counts shall hold are larger than the limit
void expect_small(const auto& numbers, std::uint64_t limit) {
  for (const auto number : numbers) {
    if (static_cast<std::uint64_t>(number) > limit) {
      throw InternalError("an exchange counts " + std::to_string(number) +
                          " bytes, more than its halos' largest_count promises");
    }
  }
}

}  // namespace

Exchange::Exchange(const Communicator& communicator, std::vector<Transfer> transfers,
                   std::vector<SharedReduction> shareds, bool silent, Route route, std::uint64_t limit)
    : _communicator(&communicator),
      _transfers(std::move(transfers)),
      _shareds(communicator, std::move(shareds), std::min(limit, kIntLimit)) {
  const auto others = static_cast<std::uint64_t>(communicator.size() - 1);
  if (others == 0) return;
  const auto is_empty = [](const Transfer& t) { return t.halo->master_index.empty() && t.halo->replica_index.empty(); };
  if (silent && !std::all_of(_transfers.begin(), _transfers.end(), is_empty)) {
    throw InternalError("an exchange planned without traffic has elements to move");
  }
  _moves = !silent && !_transfers.empty();
  const auto with_rest =
      std::count_if(_transfers.begin(), _transfers.end(), [](const Transfer& t) { return !t.rest.empty(); });
  _sparse = with_rest > 0;
  if (_sparse && (static_cast<std::size_t>(with_rest) != _transfers.size() || route != Route::neighbours))
    throw InternalError("an exchange is sparse in part, or by one call of all workers");
  if (_moves) work_out(route, std::min(limit, kIntLimit));
  for (const SharedReduction& shared : _shareds.shareds()) _of_shareds.bytes_sent += others * shared.bytes;
  if (!_shareds.shareds().empty()) _of_shareds.messages += others;
}

/// The replicas of a single contiguous transfer stay where they are.
bool Exchange::replicas_stay() const { return !_sparse && _transfers.size() == 1 && _transfers[0].halo->contiguous; }

/// Bytes of so many elements in a message, at most.
std::uint64_t Exchange::most_bytes(const Transfer& t, std::uint64_t elements) const {
  return _sparse ? most_sparse_bytes(elements, t.element_bytes) : elements * t.element_bytes;
}

void Exchange::work_out(Route route, std::uint64_t limit) {
  const auto workers = static_cast<std::size_t>(_communicator->size());
  const auto direction = [&](End (*end_of)(const Transfer&), std::uint64_t& bytes) {
    Messages::Direction result;
    for (std::size_t w = 0; w < workers; ++w) {
      std::uint64_t count = 0;
      for (const Transfer& t : _transfers) count += most_bytes(t, end_of(t).with(w).size());
      result.counts.push_back(static_cast<MPI_Count>(count));
      result.displacements.push_back(static_cast<MPI_Aint>(bytes));
      bytes += count;
    }
    return result;
  };
  std::uint64_t bytes_from = 0;
  Messages::Direction to = direction(&outgoing, _bytes_to), from = direction(&incoming, bytes_from);
  if (replicas_stay()) place_in(_transfers[0], is_gather(_transfers[0]) ? to.displacements : from.displacements);
  const bool large = is_large(_transfers, _sparse ? workers * most_sparse_bytes(1, 0) : 0, limit);
  if (!large) {
    for (const Messages::Direction* of : {&to, &from})
      expect_small(of->counts, limit), expect_small(of->displacements, limit);
  }
  for (std::size_t w = 0; w < workers; ++w) {
    if (static_cast<Rank>(w) == _communicator->rank() || to.counts[w] == 0) continue;
    _of_vectors.bytes_sent += static_cast<std::uint64_t>(to.counts[w]);
    _of_vectors.messages += 1;
  }
  if (_sparse) _most_to = to.counts, _most_from = from.counts, _counts_to = to.counts;
  _messages = Messages(*_communicator, std::move(to), std::move(from), route, large);
}

std::uint64_t Exchange::packing_bytes() const {
  if (_sparse) {
    std::uint64_t bytes = 0;
    for (const auto* counts : {&_most_to, &_most_from}) {
      for (const MPI_Count count : *counts) bytes += static_cast<std::uint64_t>(count);
    }
    return bytes;
  }
  const bool in_place = replicas_stay();
  std::uint64_t bytes = 0;
  for (const Transfer& t : _transfers) {
    const std::uint64_t elements = t.halo->master_index.size() + (in_place ? 0 : t.halo->replica_index.size());
    bytes += elements * t.element_bytes;
  }
  return bytes;
}

/// Packing buffers hold what is sent, then what is received; without the side that stays in place.
Exchange::Ends Exchange::ends(std::span<std::byte> packing) const {
  if (packing.size() < packing_bytes()) throw InternalError("an exchange got too small packing buffers");
  const bool masters_receive = replicas_stay() && is_gather(_transfers[0]);
  const bool masters_send = replicas_stay() && !is_gather(_transfers[0]);
  auto* const own = static_cast<std::byte*>(_transfers[0].data);
  return {masters_receive ? own : packing.data(),
          masters_send ? own : packing.data() + (masters_receive ? 0 : _bytes_to), !masters_receive, !masters_send};
}

Exchange::Ends Exchange::pack(std::span<std::byte> packing, ThreadTeam* team) {
  const Ends at = ends(packing);
  if (_sparse) {
    pack_sparse(at.to);
  } else if (at.packed) {
    pack_all(_transfers, static_cast<std::size_t>(_communicator->size()), at.to, team);
  }
  return at;
}

void Exchange::pack_sparse(std::byte* packed) {
  _sent = {};
  _of_vectors.bytes_sent = 0;
  for (std::size_t w = 0; w < _counts_to.size(); ++w) {
    std::byte* end = packed;
    for (const Transfer& t : _transfers) {
      const bool gathers = is_gather(t);
      end = comm::pack_sparse(end, static_cast<const std::byte*>(t.data), outgoing(t).with(w), t.element_bytes,
                              gathers && t.halo->contiguous, t.rest.data(), gathers ? nullptr : t.active, _sent);
    }
    _counts_to[w] = static_cast<MPI_Count>(end - packed);
    _of_vectors.bytes_sent += static_cast<std::uint64_t>(_counts_to[w]);
    packed += _most_to[w];
  }
  _messages.send_only(_counts_to);
}

void Exchange::unpack_sparse(const std::byte* packed) {
  for (std::size_t w = 0; w < _most_from.size(); ++w) {
    const std::byte* at = packed;
    for (const Transfer& t : _transfers) {
      auto* const data = static_cast<std::byte*>(t.data);
      const auto index = incoming(t).with(w);
      at = is_gather(t) ? fold_sparse(at, data, index, t.element_bytes, t.combine)
                        : comm::unpack_sparse(at, data, index, t.element_bytes, t.rest.data(), t.active);
    }
    packed += _most_from[w];
  }
}

void Exchange::unpack(const Ends& at, ThreadTeam* team) {
  if (_sparse) return unpack_sparse(at.from);
  if (at.unpacked) unpack_all(_transfers, static_cast<std::size_t>(_communicator->size()), at.from, team);
}

Counts Exchange::begin(std::span<std::byte> packing, ThreadTeam* team) {
  if (!_moves) return {};
  const Ends at = pack(packing, team);
  _messages.begin(at.to, at.from);
  _packing = packing;
  return _of_vectors;
}

void Exchange::poll() { _messages.poll(); }

void Exchange::end(ThreadTeam* team) {
  if (!_moves) return;
  _messages.end();
  unpack(ends(_packing), team);
}

Counts Exchange::move(std::span<std::byte> packing, ThreadTeam* team) {
  if (!_moves) return {};
  const Ends at = pack(packing, team);
  _messages.run(at.to, at.from);
  unpack(at, team);
  return _of_vectors;
}

Counts Exchange::reduce() {
  if (_communicator->size() > 1 && !_shareds.shareds().empty()) _shareds.run();
  return _of_shareds;
}

Counts Exchange::run(std::span<std::byte> packing, ThreadTeam* team) {
  Counts counts = move(packing, team);
  counts += reduce();
  return counts;
}

}  // namespace kasen::comm
