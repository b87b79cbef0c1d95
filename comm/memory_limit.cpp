#include "comm/memory_limit.h"

#include <algorithm>
#include <cstdio>

#include "comm/available_memory.h"
#include "kasen/base/error.h"

namespace kasen::comm {
namespace {

/// Beyond so many none are named.
constexpr std::uint64_t kMostWorkers = 1u << 20;
/// What MPI takes in each worker for every further one, and where there is more than one.
constexpr std::uint64_t kBytesPerWorker = 32u << 10, kBytesBesideOthers = 3u << 20;
/// Of what a worker has taken since it began, what may be pages of libraries, such as HDF5's, that all have.
constexpr std::uint64_t kLibraryBytes = 5u << 20;
/// Of so many parts of the limit, one is left free where a number of workers is named: by another number data are
/// spread a little otherwise.
constexpr std::uint64_t kReserve = 16;

struct Limit {
  std::uint64_t bytes = 0, at_start = 0;
} limit;

std::string in_mebibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

}  // namespace

void limit_memory(std::uint64_t bytes) { limit = {bytes, bytes == 0 ? 0 : memory_in_use()}; }

std::uint64_t memory_limit() { return limit.bytes; }

MemoryNeeds::MemoryNeeds(const Communicator& communicator) : _workers(static_cast<std::uint64_t>(communicator.size())) {
  if (limit.bytes == 0) return;
  _held = communicator.max(memory_in_use());
  _at_start = std::min(communicator.max(limit.at_start), _held);
}

void MemoryNeeds::add(std::string what, Bytes bytes) {
  if (limit.bytes != 0) _parts.emplace_back(std::move(what), std::move(bytes));
}

std::uint64_t MemoryNeeds::held(std::uint64_t workers) const {
  if (workers == _workers) return _held;
  const std::uint64_t of_mpi =
      (workers > _workers ? (workers - _workers) * kBytesPerWorker : 0) + (_workers == 1 ? kBytesBesideOthers : 0);
  const std::uint64_t since = _held - _at_start, of_libraries = std::min(since, kLibraryBytes);
  return bytes_and(_at_start + of_mpi + of_libraries, share_of(bytes_of(since - of_libraries, _workers), workers));
}

std::uint64_t MemoryNeeds::with(std::uint64_t workers) const {
  std::uint64_t sum = held(workers);
  for (const auto& [what, bytes] : _parts) sum = bytes_and(sum, bytes(workers));
  return sum;
}

void MemoryNeeds::require(const std::string& purpose) const {
  if (limit.bytes == 0) return;
  const std::uint64_t needed = with(_workers);
  if (needed <= limit.bytes) return;
  std::vector<std::pair<std::uint64_t, std::string>> parts{{_at_start, "for the program and MPI"},
                                                           {_held - _at_start, "that it has taken since it began"}};
  for (const auto& [what, bytes] : _parts) parts.emplace_back(bytes(_workers), "for " + what);
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [bytes, what] : parts) {
    if (bytes > 0) text += (text.empty() ? "" : ", ") + in_mebibytes(bytes) + " " + what;
  }
  throw AgreedError(purpose + ": a worker needs " + in_mebibytes(needed) + ", more than the " +
                    in_mebibytes(limit.bytes) + " of --memory: " + text + "; " + enough_workers());
}

/// Needs do not grow with the number of workers but for what MPI takes: the least one that will do is searched for
/// between a number that does not and one that does.
std::string MemoryNeeds::enough_workers() const {
  const std::uint64_t most = limit.bytes - limit.bytes / kReserve;
  std::uint64_t few = _workers, enough = 2 * _workers;
  while (enough <= kMostWorkers && with(enough) > most) few = std::exchange(enough, 2 * enough);
  if (enough > kMostWorkers) return "no number of workers would do";
  while (enough - few > 1) {
    const std::uint64_t middle = few + (enough - few) / 2;
    (with(middle) <= most ? enough : few) = middle;
  }
  return std::to_string(enough) + " workers would do";
}

}  // namespace kasen::comm
