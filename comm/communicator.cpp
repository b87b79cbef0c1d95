/// @file
/// Collectives on bytes beneath the typed ones. All counts go through MPI-4's large forms, or what
/// comm/large_counts.h makes of MPI-3: one code path, which every test takes; gathers of GiB are broadcasts.
#include "comm/communicator.h"

#include <sched.h>

#include <cstddef>
#include <cstring>
#include <utility>

#include "comm/failure.h"
#include "comm/large_counts.h"
#include "comm/mpi_call.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

/// Collective. Whether this host has more workers than cores that any of them may use (each may be bound to some).
bool host_is_oversubscribed(MPI_Comm communicator, Rank rank) {
  MPI_Comm host = MPI_COMM_NULL;
  check(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
  int workers = 1;
  check(MPI_Comm_size(host, &workers), "MPI_Comm_size");
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const bool known = sched_getaffinity(0, sizeof cores, &cores) == 0;
  if (!known) CPU_ZERO(&cores);
  const int code = MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, host);
  MPI_Comm_free(&host);
  check(code, "MPI_Allreduce");
  const int num_cores = CPU_COUNT(&cores);
  return num_cores > 0 && workers > num_cores;
}

/// Bytes from which gathers are broadcasts: MPICH 4.0 does not return from gathering a few GiB.
constexpr std::uint64_t kGatherLimit = 0x7fffffffu;

/// MPICH 4.0 compares unsigned integers as if they were signed: with this bit flipped both orders are one.
constexpr std::uint64_t kLeadingBit = std::uint64_t{1} << 63;

/// Numbers that are reduced at once: MPI takes as much memory again.
constexpr std::uint64_t kReducedAtOnce = std::uint64_t{1} << 17;

struct Blocks {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
};

/// Consecutive elements [offsets[w], offsets[w + 1]) as counts and displacements of bytes.
Blocks blocks_of(std::span<const std::uint64_t> offsets, std::uint64_t element_bytes) {
  Blocks blocks;
  for (std::size_t w = 0; w + 1 < offsets.size(); ++w) {
    blocks.counts.push_back(static_cast<MPI_Count>((offsets[w + 1] - offsets[w]) * element_bytes));
    blocks.displacements.push_back(static_cast<MPI_Aint>(offsets[w] * element_bytes));
  }
  return blocks;
}

template <class T>
void all_reduce(const Communicator& communicator, T* values, std::uint64_t num, MPI_Datatype type, MPI_Op op) {
  std::uint64_t done = 0;
  do {
    T* const some = values + done;
    const auto count = static_cast<MPI_Count>(std::min(num - done, kReducedAtOnce));
    collective(
        communicator.oversubscribed(), "MPI_Allreduce",
        [&] { return MPI_Allreduce_c(MPI_IN_PLACE, some, count, type, op, communicator.native()); },
        [&](MPI_Request* request) {
          return MPI_Iallreduce_c(MPI_IN_PLACE, some, count, type, op, communicator.native(), request);
        });
    done += static_cast<std::uint64_t>(count);
  } while (done < num);
}

}  // namespace

Communicator::Communicator(MPI_Comm parent, const std::string& name) {
  if (!mpi_is_running()) throw InternalError("a Communicator needs MPI running: make an Environment first");
  check(MPI_Comm_dup(parent, &_native), "MPI_Comm_dup");
  check(MPI_Comm_set_errhandler(_native, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(_native, &_rank), "MPI_Comm_rank");
  check(MPI_Comm_size(_native, &_size), "MPI_Comm_size");
  int oversubscribed = host_is_oversubscribed(_native, _rank) ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &oversubscribed, 1, MPI_INT, MPI_MAX, _native), "MPI_Allreduce");
  _oversubscribed = oversubscribed != 0;
  check(MPI_Comm_set_name(_native, name.c_str()), "MPI_Comm_set_name");
}

Communicator::~Communicator() {
  if (_native != MPI_COMM_NULL && mpi_is_running()) MPI_Comm_free(&_native);
}

Communicator::Communicator(Communicator&& other) noexcept
    : _native(std::exchange(other._native, MPI_COMM_NULL)),
      _rank(other._rank),
      _size(other._size),
      _oversubscribed(other._oversubscribed) {}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
  std::swap(_native, other._native);
  _rank = other._rank;
  _size = other._size;
  _oversubscribed = other._oversubscribed;
  return *this;
}

void Communicator::barrier() const {
  collective(
      _oversubscribed, "MPI_Barrier", [&] { return MPI_Barrier(_native); },
      [&](MPI_Request* request) { return MPI_Ibarrier(_native, request); });
}

void Communicator::broadcast_bytes(void* data, std::uint64_t bytes, Rank root) const {
  const auto count = static_cast<MPI_Count>(bytes);
  collective(
      _oversubscribed, "MPI_Bcast", [&] { return MPI_Bcast_c(data, count, MPI_BYTE, root, _native); },
      [&](MPI_Request* request) { return MPI_Ibcast_c(data, count, MPI_BYTE, root, _native, request); });
}

void Communicator::broadcast(std::string& text, Rank root) const {
  std::uint64_t bytes = text.size();
  broadcast_bytes(&bytes, sizeof bytes, root);
  text.resize(bytes);
  broadcast_bytes(text.data(), bytes, root);
}

void Communicator::all_gather_bytes(const void* value, std::uint64_t bytes, void* all) const {
  const auto count = static_cast<MPI_Count>(bytes);
  collective(
      _oversubscribed, "MPI_Allgather",
      [&] { return MPI_Allgather_c(value, count, MPI_BYTE, all, count, MPI_BYTE, _native); },
      [&](MPI_Request* request) {
        return MPI_Iallgather_c(value, count, MPI_BYTE, all, count, MPI_BYTE, _native, request);
      });
}

void Communicator::all_gather_bytes(const void* values, std::span<const std::uint64_t> offsets,
                                    std::uint64_t element_bytes, void* all) const {
  if (offsets.back() * element_bytes > kGatherLimit) {
    for (Rank worker = 0; worker < _size; ++worker) {
      const auto w = static_cast<std::size_t>(worker);
      std::byte* const block = static_cast<std::byte*>(all) + offsets[w] * element_bytes;
      const std::uint64_t bytes = (offsets[w + 1] - offsets[w]) * element_bytes;
      if (worker == _rank && bytes != 0) std::memcpy(block, values, bytes);
      broadcast_bytes(block, bytes, worker);
    }
    return;
  }
  const Blocks to = blocks_of(offsets, element_bytes);
  const MPI_Count mine = to.counts[static_cast<std::size_t>(_rank)];
  collective(
      _oversubscribed, "MPI_Allgatherv",
      [&] {
        return MPI_Allgatherv_c(values, mine, MPI_BYTE, all, to.counts.data(), to.displacements.data(), MPI_BYTE,
                                _native);
      },
      [&](MPI_Request* request) {
        return MPI_Iallgatherv_c(values, mine, MPI_BYTE, all, to.counts.data(), to.displacements.data(), MPI_BYTE,
                                 _native, request);
      });
}

void Communicator::all_to_all(const void* values, std::span<const std::uint64_t> offsets, std::uint64_t element_bytes,
                              void* into, std::span<const std::uint64_t> counts,
                              std::span<const std::uint64_t> first) const {
  const Blocks from = blocks_of(offsets, element_bytes);
  Blocks to;
  for (std::size_t w = 0; w < counts.size(); ++w) {
    to.counts.push_back(static_cast<MPI_Count>(counts[w] * element_bytes));
    to.displacements.push_back(static_cast<MPI_Aint>(first[w] * element_bytes));
  }
  collective(
      _oversubscribed, "MPI_Alltoallv",
      [&] {
        return MPI_Alltoallv_c(values, from.counts.data(), from.displacements.data(), MPI_BYTE, into, to.counts.data(),
                               to.displacements.data(), MPI_BYTE, _native);
      },
      [&](MPI_Request* request) {
        return MPI_Ialltoallv_c(values, from.counts.data(), from.displacements.data(), MPI_BYTE, into, to.counts.data(),
                                to.displacements.data(), MPI_BYTE, _native, request);
      });
}

std::vector<std::uint64_t> Communicator::offsets_of_all(std::uint64_t count) const {
  return offsets_from(all_gather(count));
}

std::vector<std::uint64_t> Communicator::offsets_from(const std::vector<std::uint64_t>& counts) {
  std::vector<std::uint64_t> offsets(counts.size() + 1, 0);
  for (std::size_t w = 0; w < counts.size(); ++w) offsets[w + 1] = offsets[w] + counts[w];
  return offsets;
}

std::vector<std::uint64_t> Communicator::incoming_counts(std::span<const std::uint64_t> offsets,
                                                         std::uint64_t count) const {
  const auto workers = static_cast<std::size_t>(_size);
  if (offsets.size() != workers + 1 || offsets.back() > count) throw InternalError("all_to_all: wrong offsets");
  std::vector<std::uint64_t> outgoing(workers), incoming(workers);
  for (std::size_t w = 0; w < workers; ++w) outgoing[w] = offsets[w + 1] - offsets[w];
  collective(
      _oversubscribed, "MPI_Alltoall",
      [&] { return MPI_Alltoall(outgoing.data(), 1, MPI_UINT64_T, incoming.data(), 1, MPI_UINT64_T, _native); },
      [&](MPI_Request* request) {
        return MPI_Ialltoall(outgoing.data(), 1, MPI_UINT64_T, incoming.data(), 1, MPI_UINT64_T, _native, request);
      });
  return incoming;
}

std::int64_t Communicator::reduce_integer(std::int64_t value, MPI_Op op) const {
  all_reduce(*this, &value, 1, MPI_INT64_T, op);
  return value;
}

std::uint64_t Communicator::reduce_integer(std::uint64_t value, MPI_Op op) const {
  if (op == MPI_SUM) {
    all_reduce(*this, &value, 1, MPI_UINT64_T, op);
    return value;
  }
  value ^= kLeadingBit;
  all_reduce(*this, &value, 1, MPI_INT64_T, op);
  return value ^ kLeadingBit;
}

void Communicator::sum(std::span<std::uint64_t> values) const {
  all_reduce(*this, values.data(), values.size(), MPI_UINT64_T, MPI_SUM);
}

void Communicator::min(std::span<std::uint64_t> values) const {
  for (std::uint64_t& value : values) value ^= kLeadingBit;
  all_reduce(*this, values.data(), values.size(), MPI_INT64_T, MPI_MIN);
  for (std::uint64_t& value : values) value ^= kLeadingBit;
}

std::uint64_t Communicator::exclusive_sum(std::uint64_t value) const {
  std::uint64_t sum = 0;
  collective(
      _oversubscribed, "MPI_Exscan", [&] { return MPI_Exscan(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, _native); },
      [&](MPI_Request* request) { return MPI_Iexscan(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, _native, request); });
  return _rank == 0 ? 0 : sum;  // MPI leaves worker 0's result as it was, or undefined
}

}  // namespace kasen::comm
