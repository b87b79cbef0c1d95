/// @file
/// Formulas of memory. Their constants are from measured peaks, which tests keep within them.

#include "partition/placing_memory.h"

#include <algorithm>

#include "comm/available_memory.h"
#include "kasen/base/global_indices.h"
#include "partition/assignment.h"

namespace kasen::partition {
namespace {

using comm::bytes_and, comm::bytes_of, comm::share_of;

/// The least part of a worker's share by which another one may have more: partitions are balanced to a tenth.
constexpr std::uint64_t kUneven = 10;
/// Bytes of a local element: its global index, its number, its place in lists of replicas and the begin of its entries
/// in either direction.
constexpr std::uint64_t kElementBytes = 72;
/// What a round of entries takes that are sent at once, and what pieces of arrays take that are not yet given back.
constexpr std::uint64_t kRoundBytes = 8u << 20;
/// What MPI takes for buffers when workers send each other much for the first time.
constexpr std::uint64_t kMessageBytes = 4u << 20;
/// Bytes of METIS for an entry and for an element: the gathered pattern, the graph with each edge twice, and the graphs
/// that METIS makes of it.
constexpr std::uint64_t kMetisEntryBytes = 56, kMetisElementBytes = 64;
/// Bytes of label propagation for an entry and for an element of a worker (label_propagation.h).
constexpr std::uint64_t kPropagatedBytes = 100;

}  // namespace

std::uint64_t MatrixSize::bytes_of_entry() const {
  return bytes_of_index(rows) + bytes_of_index(columns) + value_bytes;
}

void add_entries(const MatrixSize& matrix, comm::MemoryNeeds& needs) {
  needs.add("entries as they are read", [matrix](std::uint64_t workers) {
    return bytes_of(share_of(matrix.entries, workers), matrix.bytes_of_entry());
  });
}

void add_batches(const MatrixSize& matrix, std::uint32_t batches, comm::MemoryNeeds& needs) {
  needs.add("pointers of rows in batches", [rows = matrix.rows * batches](std::uint64_t workers) {
    return bytes_of(share_of(rows, workers), sizeof(std::uint64_t));
  });
}

void add_placing(const MatrixSize& matrix, comm::MemoryNeeds& needs) {
  needs.add("storages of entries and entries on their way", [matrix](std::uint64_t workers) {
    const std::uint64_t share = share_of(matrix.entries, workers);
    const std::uint64_t more = workers == 1 ? 0 : bytes_of(share / kUneven, matrix.bytes_of_entry());
    const std::uint64_t owners = workers == 1 ? 0 : Assignment::table_width(static_cast<int>(workers));
    const std::uint64_t beside = bytes_of(share, 1 + matrix.value_bytes + owners);
    const std::uint64_t at_once = std::min(kRoundBytes, bytes_of(share, matrix.bytes_of_entry()));
    return bytes_and(bytes_and(more, beside), at_once + (workers == 1 ? 0 : kMessageBytes));
  });
  needs.add("numbers of elements and replicas", [matrix](std::uint64_t workers) {
    const std::uint64_t share = share_of(matrix.entries, workers);
    const auto touched = [&](std::uint64_t elements) { return std::min(elements, share); };
    const std::uint64_t replicas =
        workers == 1 ? 0
        : matrix.one_space
            ? touched(matrix.rows) + std::min(touched(matrix.columns), matrix.rows - touched(matrix.rows))
            : touched(matrix.rows) + touched(matrix.columns);
    return bytes_of(share_of(matrix.elements(), workers) + replicas, kElementBytes);
  });
}

void add_metis(const MatrixSize& matrix, comm::MemoryNeeds& needs) {
  needs.add("METIS, which runs on one worker", [matrix](std::uint64_t workers) {
    if (workers == 1) return std::uint64_t{0};
    return bytes_and(bytes_of(matrix.entries, kMetisEntryBytes), bytes_of(matrix.elements(), kMetisElementBytes));
  });
}

void add_label_propagation(const MatrixSize& matrix, comm::MemoryNeeds& needs) {
  needs.add("label propagation", [matrix](std::uint64_t workers) {
    if (workers == 1) return std::uint64_t{0};
    return bytes_of(share_of(matrix.entries, workers) + share_of(matrix.elements(), workers), kPropagatedBytes);
  });
}

void add_table(const MatrixSize& matrix, comm::MemoryNeeds& needs) {
  needs.add("owners of all elements", [matrix](std::uint64_t workers) {
    return bytes_of(matrix.elements(), Assignment::table_width(static_cast<int>(workers)));
  });
}

void add_everywhere(std::uint64_t length, comm::MemoryNeeds& needs) {
  needs.add("numbers of elements", [length](std::uint64_t workers) {
    return bytes_of(length, workers == 1 ? sizeof(LocalIndex) : kElementBytes);
  });
}

std::uint64_t most_replicas(const PlacementStats& stats, SpaceId space, std::uint64_t workers) {
  if (workers == 1) return 0;
  const std::uint64_t length = stats.spaces[index_of(space)].masters;
  const std::uint64_t elsewhere = length - length / workers;
  if (includes_roles(stats.all_roles(space), {kEverywhere})) return elsewhere;
  std::uint64_t ends = 0;
  for (const PlacementStats::Matrix& matrix : stats.matrices) {
    const std::uint64_t share = share_of(matrix.all_nonzeros(), workers);
    ends += (matrix.rows == space ? share : 0) + (matrix.columns == space ? share : 0);
  }
  return std::min(ends, elsewhere);
}

}  // namespace kasen::partition
