/// @file
/// Class Placement: the index spaces and matrices of a session, and which worker owns and which replicates what.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/entries.h"
#include "kasen/base/ids.h"
#include "kasen/base/options.h"
#include "kasen/base/placement_stats.h"
#include "kasen/base/profile.h"
#include "partition/assignment_by.h"
#include "partition/choose.h"
#include "partition/dense_rows.h"
#include "partition/index_space.h"
#include "partition/local_matrix.h"
#include "partition/numbering.h"
#include "partition/partitioner.h"

namespace kasen::partition {

/// The largest number of elements that local indices, which are 32-bit, can count.
inline constexpr std::uint64_t kMaxLocalElements = std::numeric_limits<LocalIndex>::max();

class Placement {
 public:
  /// Options: partition, threshold, numbering, storage, block_edge, part_elements, threads, reproducible.
  /// `communicator` must outlive the placement.
  /// @param limit the largest number of masters and replicas of a space on one worker; tests lower it.
  /// @param cache_bytes of level 1, the same on all workers, for automatic numbering.
  Placement(const comm::Communicator& communicator, const Options& options, std::uint64_t limit = kMaxLocalElements,
            std::uint64_t cache_bytes = Profile().cache_bytes[0]);

  /// Local. The space of this length; made when it does not exist.
  SpaceId space(std::uint64_t length);
  /// Local. A further space, even if there is one of the same length.
  SpaceId separate_space(std::uint64_t length, std::string name);

  /// Collective. To be called before a vector is stored. Assigns the space in contiguous blocks unless it is assigned
  /// already, and keeps local indices as they are. Throws (on all workers) InputError if a worker's part exceeds 32-bit
  /// local indices.
  void assign(SpaceId space);
  /// Collective. Assigns the space as given, the same on all workers; it must not be assigned yet. The first matrix may
  /// still number it by degree. Throws as above.
  void assign(SpaceId space, const Assignment& assignment);

  /// Collective. Lets every worker hold all elements of the space, as replicas but for its masters: keys may lead to
  /// any of them. Assigns it if it is not assigned. Throws (on all workers) InputError if they exceed 32-bit local
  /// indices. Cost: as IndexSpace::add_roles of all elements, and one all-gather of statistics; nothing if they do
  /// already.
  void hold_everywhere(SpaceId space);
  /// Local. Whether every worker holds all of its elements for keys; the same on every worker.
  bool is_everywhere(SpaceId space) const;

  /// Local. Sets the function by which matrices assign spaces from now on; if it is empty, the partitioner does.
  void partition_by(OwnerFunction owner) { _owner = std::move(owner); }
  bool owners_by_function() const { return static_cast<bool>(_owner); }

  /// Collective. Sends every entry to its worker, assigns the spaces where they are not yet, and sets up replicas and
  /// their roles. Duplicate entries stay separate non-zeros. Throws on all workers if a worker's part exceeds 32-bit
  /// local indices, or an index is out of range.
  /// Owners and the part of each entry are as the partitioner says (partitioner.h); a matrix whose spaces were both
  /// assigned for earlier ones follows the rule of its row space.
  /// A matrix in which every element is an entry, once, with a value, is stored dense unless the storage asked for is
  /// compressed, or its part on some worker is no rectangle of local indices (2d over one space).
  /// Entries that are prepared (Entries::prepared) stay where they are and their spaces are assigned as they were
  /// prepared, if the partition is chosen automatically and no space of theirs is assigned otherwise.
  /// Whether it is symmetric is found too, over one space (symmetry.h).
  /// Entries in batches (Entries::batches) make a matrix in batches, with the roles of all of them together. It is
  /// compressed by rows, whatever storage is asked for, and neither dense nor symmetric.
  /// Cost: see hybrid_cut.h, distribute.h, IndexSpace::add_roles; one all-gather of statistics at the end.
  MatrixId add_matrix(SpaceId rows, SpaceId columns, Entries entries);
  /// Collective. The same for a matrix without zeros. Where it is to be cut into blocks of rows and stored dense, as it
  /// is unless another partition, storage or numbering is asked for or earlier matrices have it otherwise, nothing is
  /// sent, and `block` becomes the matrix; else entries are made of it.
  MatrixId add_matrix(SpaceId rows, SpaceId columns, DenseRows block);

  /// Collective. Counts the runs of a matrix in blocks and those of its stencils, for plans, if nobody has; `outputs`
  /// are on this side. A dense matrix has none, and never gets any. Cost: the compressed form is built, and walked
  /// once; where it has stencils, twice.
  void count_blocks(MatrixId matrix, Role::Side outputs);
  /// Local. Whether there is nothing to count, or it has been; the same on every worker.
  bool blocks_counted(MatrixId matrix, Role::Side outputs) const;
  /// Local. The matrix in blocks, built when first asked for, in parts for the worker's threads.
  const BlockedMatrix& blocked(MatrixId id, Role::Side outputs);

  const PlacementStats& stats() const { return _stats; }  ///< equal on all workers; grows with every call above
  const IndexSpace& space(SpaceId id) const { return _spaces.at(index_of(id)); }
  /// Local. The entries of a matrix that are on this worker (matrix_batches.h).
  Entries entries(MatrixId id);
  const LocalMatrix& matrix(MatrixId id) const { return _matrices.at(index_of(id)); }
  LocalMatrix& matrix(MatrixId id) { return _matrices.at(index_of(id)); }
  /// The candidates that the automatic choice for the latest matrix has compared; empty if there was none.
  const std::vector<PartitionCandidate>& candidates() const { return _candidates; }
  /// The numbering of the spaces that the latest matrix has numbered, and the reasons.
  const std::vector<NumberingChoice>& numberings() const { return _numberings; }
  double choosing_seconds() const { return _choosing_seconds; }  ///< that comparing candidates took

 private:
  IndexSpace& space_of(SpaceId id) { return _spaces.at(index_of(id)); }
  MatrixId keep(SpaceId rows, SpaceId columns, LocalMatrix matrix, bool symmetric);
  PlacementStats::Matrix::Stencils find_stencils(MatrixId id, Role::Side outputs);
  void cover_spaces();
  bool rows_stay(SpaceId rows, SpaceId columns) const;
  bool is_symmetric(const Entries& entries, SpaceId rows, SpaceId columns) const;
  void check(const Entries& entries, std::uint64_t rows, std::uint64_t columns) const;
  bool stay(const Entries& entries, SpaceId rows, SpaceId columns) const;
  ChosenPartitioning partitioning_for(SpaceId rows, SpaceId columns, const Entries& entries) const;
  Entries send_to_owners(Entries entries, const Partitioning& partitioning) const;
  void number_spaces(const Entries& entries, SpaceId rows, SpaceId columns,
                     const std::array<IndexSpace::Touched, 2>& sides);
  LocalMatrix localise(Entries entries, MatrixId id, SpaceId rows_id, SpaceId columns_id);
  std::optional<Rectangle> full_everywhere(std::span<const LocalIndex> row, std::span<const LocalIndex> column,
                                           std::uint32_t value_bytes, const IndexSpace& rows,
                                           const IndexSpace& columns) const;

  const comm::Communicator* _communicator;
  Options _options;
  OwnerFunction _owner;
  std::uint64_t _limit, _cache_bytes;
  std::deque<IndexSpace> _spaces;     ///< by SpaceId; references stay valid as it grows
  std::deque<LocalMatrix> _matrices;  ///< by MatrixId
  std::map<std::uint64_t, SpaceId> _by_length;
  std::map<SpaceId, EntryRule> _rules;  ///< of the matrix that assigned the space
  std::vector<PartitionCandidate> _candidates;
  std::vector<NumberingChoice> _numberings;
  double _choosing_seconds = 0;
  PlacementStats _stats;
};

}  // namespace kasen::partition
