/// @file
/// Which worker owns and which replicates what: the index spaces and matrices of a session.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "partition/entries.h"
#include "partition/index_space.h"
#include "partition/local_matrix.h"

namespace kasen::partition {

/// Local indices are 32-bit; the largest number of elements that they can count.
inline constexpr std::uint64_t kMaxLocalElements = std::numeric_limits<LocalIndex>::max();

class Placement {
 public:
  /// Options: partition, threshold, block_edge. `communicator` must outlive the placement.
  /// @param limit the largest number of masters and replicas of a space on one worker; tests lower it.
  Placement(const comm::Communicator& communicator, const Options& options, std::uint64_t limit = kMaxLocalElements);

  /// The space of this length; made when it does not exist. Local.
  SpaceId space(std::uint64_t length);
  /// A space apart, even if there is one of the same length. Local.
  SpaceId separate_space(std::uint64_t length, std::string name);

  /// Collective. Assigns the space in contiguous blocks unless it is assigned already. Throws (on all workers)
  /// InputError if a worker's part exceeds 32-bit local indices.
  void assign(SpaceId space);

  /// Collective. Sends every entry to its worker, assigns the spaces where they are not yet, and sets up replicas and
  /// their roles. Duplicate entries stay separate non-zeros. Throws (agreed) if a worker's part exceeds 32-bit local
  /// indices, or an index is out of range.
  /// Under hybrid-cut (the default for sparse matrices) the spaces are hashed and an entry goes with its column if that
  /// has at most `threshold` entries, else with its row; under block the spaces are in blocks and it goes with its row.
  /// Cost: see hybrid_cut.h, distribute.h, IndexSpace::add_roles; one all-gather of statistics at the end.
  MatrixId add_matrix(SpaceId rows, SpaceId columns, Entries entries);

  /// Collective. Counts the runs of a matrix in blocks, for plans, if nobody has; `outputs` are on this side.
  /// Cost: the compressed form is built, and walked once.
  void count_blocks(MatrixId matrix, Role::Side outputs);
  /// Local. The matrix in blocks, built when first asked for.
  const BlockedMatrix& blocked(MatrixId id, Role::Side outputs) { return matrix(id).blocked(outputs, _block_edge); }

  const PlacementStats& stats() const { return _stats; }  ///< equal on all workers; grows with every call above
  const IndexSpace& space(SpaceId id) const { return _spaces.at(index_of(id)); }
  const LocalMatrix& matrix(MatrixId id) const { return _matrices.at(index_of(id)); }
  LocalMatrix& matrix(MatrixId id) { return _matrices.at(index_of(id)); }
  std::size_t num_spaces() const { return _spaces.size(); }

 private:
  IndexSpace& space_of(SpaceId id) { return _spaces.at(index_of(id)); }
  void check(const Entries& entries, std::uint64_t rows, std::uint64_t columns) const;
  void assign_for_matrix(SpaceId rows, SpaceId columns);
  Entries send_to_owners(Entries entries, const IndexSpace& rows, const IndexSpace& columns) const;
  LocalMatrix localise(Entries entries, MatrixId id, IndexSpace& rows, IndexSpace& columns);

  const comm::Communicator* _communicator;
  Partition _partition;
  std::uint64_t _threshold;
  std::uint64_t _limit;
  std::uint32_t _block_edge;
  std::deque<IndexSpace> _spaces;     ///< by SpaceId; references stay valid as it grows
  std::deque<LocalMatrix> _matrices;  ///< by MatrixId
  std::map<std::uint64_t, SpaceId> _by_length;
  PlacementStats _stats;
};

}  // namespace kasen::partition
