/// @file
/// Class IndexSpace: an index space as one worker sees it, with its masters, replicas, their roles and local indices.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"
#include "comm/exchange.h"
#include "kasen/base/ids.h"
#include "kasen/base/state.h"
#include "partition/assignment.h"
#include "partition/replicas.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {

/// Local order of elements: masters by global index; then replicas by owner, and within an owner row-only, both,
/// column-only (of its first matrix), each by global index. Replicas that only later matrices need follow behind, in
/// the same order again, so that numbers never change. A space that is *numbered by degree* has its masters and, within
/// each run of replicas, those of its first matrix in descending order of the degrees here; equal ones by global index.
class IndexSpace {
 public:
  IndexSpace(std::string name, std::uint64_t length, int workers, Rank rank);

  const std::string& name() const { return _name; }
  std::uint64_t length() const { return _length; }
  bool assigned() const { return _assigned; }
  /// Whether masters are one contiguous run of global indices, starting at first_master(), and numbered in its order.
  /// The same on every worker.
  bool blocks() const { return _assignment.kind() == Assignment::Kind::block && !_by_degree; }
  /// Whether they are the blocks of files, as even as can be (Assignment::block). The same on every worker.
  bool even_blocks() const { return blocks() && _assignment.begins().empty(); }
  GlobalIndex first_master() const { return blocks() ? _assignment.block_begin(_rank) : 0; }
  /// Local indices of the masters, ascending by global index; empty if that is 0, 1, 2, ...
  std::span<const LocalIndex> ascending_masters() const { return _ascending; }
  const Assignment& assignment() const { return _assignment; }
  Rank owner(GlobalIndex index) const { return _assignment.owner(index); }
  LocalIndex masters() const { return _masters; }
  /// The number of masters and all replicas.
  LocalIndex local_size() const { return _masters + static_cast<LocalIndex>(_replica_by_global.size()); }
  /// Global indices by local index. Made when first asked for if blocks() holds. The span is valid until the next
  /// matrix over the space.
  std::span<const GlobalIndex> global() const;
  /// The same of one element. Changes nothing, so that threads may ask. Cost: of a replica, a search among all.
  GlobalIndex global_of(LocalIndex element) const;
  /// Local. Local indices of elements that this worker owns or replicates. Cost: one merge with all that is here.
  /// @param indices ascending, distinct.
  std::vector<LocalIndex> local(std::span<const GlobalIndex> indices) const;

  /// Local. Local indices by global index, of a space of which every worker holds all elements; empty if that is
  /// 0, 1, 2, ... Made when first asked for.
  std::span<const LocalIndex> numbers() const;

  /// The roles of all matrices over this space.
  const RoleSet& roles() const { return _replicas.roles(); }
  /// Replicas of any of the roles as runs of local indices, ascending, adjacent runs merged. Cached.
  std::span<const Interval> replicas(const RoleSet& roles) const;
  /// Local. The halo of any of the roles, for exchanges (its indices were exchanged with the matrix). Cached.
  /// Like PlacementStats::of, throws InternalError for sets that are not listed. The reference stays valid.
  const comm::Halo& halo(const RoleSet& roles) const;

  // The following functions are for Placement.

  /// Local. Throws InputError if elements are so many that some worker, however they are spread, has more than `limit`.
  /// To be called before anything is done for each of them.
  void check_length(int workers, std::uint64_t limit) const;
  /// Collective. Fixes the owners; the parts of `assignment` are the workers.
  /// Throws (on all workers) InputError if the masters of one worker are more than `limit`.
  void assign(const comm::Communicator& communicator, const Assignment& assignment, std::uint64_t limit);

  /// Local. Keeps local indices as they are from now on, as a vector is to be stored. add_roles() does the same.
  void fix_numbers() { _numbered = true; }
  bool numbered() const { return _numbered; }
  /// Local, on all workers alike. Numbers the masters, and the replicas of the matrix that add_roles() gets next, by
  /// the degrees of elements here. The space must be assigned and not yet numbered.
  void number_by_degree(IndexCounts degrees);

  /// One side of a matrix over this space: the elements that this worker's non-zeros touch, ascending, distinct. Or,
  /// for keys that may lead to any, all of them everywhere.
  struct Touched {
    Role::Side side;
    std::span<const GlobalIndex> indices;
  };
  /// Collective. Numbers the replicas that a further matrix needs, and tells their owners. A matrix with both sides
  /// on this space gives them in one call, rows first; what is everywhere is of no matrix, and comes alone. Throws
  /// AgreedError if a worker would have more than `limit` local elements. Cost: one all-to-all of the new
  /// replicas' indices, for each side one of positions, one small all-reduce.
  void add_roles(const comm::Communicator& communicator, MatrixId matrix, std::span<const Touched> sides,
                 std::uint64_t limit);

  Replicas::Measure measure(const RoleSet& roles) const { return _replicas.measure(roles); }
  /// Sets the sets of roles that PlacementStats lists, and whether they are contiguous on every worker.
  void list(std::map<RoleSet, bool> sets) { _listed = std::move(sets); }

 private:
  struct Replica {
    GlobalIndex global;
    LocalIndex local;
  };

  void require_known(const RoleSet& roles) const;
  std::vector<GlobalIndex> elsewhere(std::span<const GlobalIndex> indices) const;
  void number(const comm::Communicator& communicator, std::span<const GlobalIndex> rows,
              std::span<const GlobalIndex> columns, const IndexCounts& degrees, std::uint64_t limit);
  PeerLists positions(std::span<const GlobalIndex> replicas) const;
  /// The masters in ascending order: the k-th one, and its local index.
  GlobalIndex ascending_master(LocalIndex k) const;
  LocalIndex ascending_number(LocalIndex k) const { return _ascending.empty() ? k : _ascending[k]; }

  std::string _name;
  std::uint64_t _length;
  Rank _rank;
  Assignment _assignment;
  bool _assigned = false, _numbered = false, _by_degree = false;
  LocalIndex _masters = 0;
  std::vector<Replica> _replica_by_global;
  Replicas _replicas;
  std::map<RoleSet, bool> _listed;
  std::uint64_t _largest_count = 0;  ///< for Halo::largest_count of any roles
  std::vector<LocalIndex> _ascending;
  IndexCounts _degrees;                      ///< until the replicas of the first matrix have numbers
  mutable std::vector<GlobalIndex> _global;  ///< always holds the masters unless blocks()
  mutable std::map<RoleSet, std::vector<Interval>> _intervals;
  mutable std::map<RoleSet, comm::Halo> _halos;
  mutable std::vector<LocalIndex> _numbers;  ///< as numbers()
};

}  // namespace kasen::partition
