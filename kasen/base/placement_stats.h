/// @file
/// Statistics of the placement of data, by which the optimizer plans: plain numbers, equal on every worker. `partition`
/// makes them; they need no communicator, so that any number of workers can be planned for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/state.h"
#include "kasen/base/worker_pairs.h"

namespace kasen {

struct PlacementStats {
  /// The replicas of one index space that are needed for any of a set of roles.
  struct Roles {
    RoleSet roles;
    std::uint64_t replicas = 0;  ///< summed over workers
    /// Whether on every worker these replicas are one run of local indices per owner, so that nothing is packed there.
    bool contiguous = true;
    WorkerPairs pairs;  ///< of workers that hold some and those that own their masters
  };
  struct Space {
    std::string name;
    std::uint64_t masters = 0;   ///< the length
    std::uint64_t replicas = 0;  ///< of any role, summed over workers
    double imbalance = 1;        ///< largest number of masters on a worker over the mean
    bool blocks = true;          ///< whether each worker's masters are one block of global indices
    /// Every non-empty subset of the space's roles while they are told apart; beyond, single roles and all of them.
    std::vector<Roles> roles;
  };
  struct Matrix {
    SpaceId rows{}, columns{};
    std::uint64_t nonzeros = 0;     ///< of a matrix in batches, those of one on average, rounded up
    std::uint32_t value_bytes = 0;  ///< 0 for Pattern
    double imbalance = 1;           ///< largest number of non-zeros on a worker over the mean
    /// Whether every element is a non-zero, and stored without its index: row by row, on every worker.
    bool dense = false;
    /// Whether (i, j) is a non-zero as often as (j, i), with the same value, as far as that is of use: false if dense.
    bool symmetric = false;
    /// What its storage for the outputs of one side is like, if that is worth planning with, summed over workers. Runs
    /// are the non-zeros of one output in one block.
    struct Blocks {
      bool counted = false;
      std::uint64_t runs = 0, long_runs = 0;  ///< long: of more than 16 non-zeros
      /// Outputs that have another number of non-zeros than the one before: in compressed storage, branches that the
      /// processor does not foresee.
      std::uint64_t turns = 0;
      /// Of kCachedOf accesses to inputs, in compressed storage: those to a cache line that was among the last reached.
      std::uint64_t cached = 0;
      static constexpr std::uint64_t kCachedOf = 1024;
      /// Of kPartsOf non-zeros: those in blocks whose inputs are all masters, which wait for no replica; and of the
      /// others those in blocks whose outputs are all masters, for which no other worker waits.
      std::uint64_t ahead = 0, behind = 0;
      static constexpr std::uint64_t kPartsOf = 1024;
      bool operator==(const Blocks&) const = default;
    };
    Blocks by_column = {}, by_row = {};  ///< with columns as outputs (mxv), with rows (mxvt)
    /// Its storage as stencils, for the outputs of one side, summed over workers. Runs are neighbouring outputs whose
    /// entries are alike, at least one; where they are too short, none are found.
    struct Stencils {
      bool found = false;
      std::uint64_t runs = 0;
      std::uint64_t entries = 0;  ///< of the stencils of all runs, each once a run
      bool operator==(const Stencils&) const = default;
    };
    Stencils stencils_by_column = {}, stencils_by_row = {};
    std::uint32_t batches = 0;  ///< that it is in, stored by rows alone; 0: in none, as a whole
    bool in_batches() const { return batches > 0; }
    std::uint64_t all_nonzeros() const { return in_batches() ? nonzeros * batches : nonzeros; }  ///< about, in batches
    const Blocks& blocks(Role::Side outputs) const { return outputs == Role::Side::column ? by_column : by_row; }
    Blocks& blocks(Role::Side outputs) { return outputs == Role::Side::column ? by_column : by_row; }
    const Stencils& stencils(Role::Side outputs) const {
      return outputs == Role::Side::column ? stencils_by_column : stencils_by_row;
    }
    Stencils& stencils(Role::Side outputs) {
      return outputs == Role::Side::column ? stencils_by_column : stencils_by_row;
    }
  };
  /// The roles of a space are told apart while there are at most so many. Beyond, the state of every vector of the
  /// space holds for all of them or for none.
  static constexpr std::size_t kMostRolesToldApart = 6;

  std::uint32_t workers = 1;
  std::vector<Space> spaces;     ///< by SpaceId
  std::vector<Matrix> matrices;  ///< by MatrixId

  /// The entry for `roles`; for no roles, one without replicas. @throws InternalError if that set is not listed.
  const Roles& of(SpaceId space, const RoleSet& roles) const;
  /// How many elements work that is done on masters, and on replicas of these roles, is done for, over all workers.
  std::uint64_t range(SpaceId space, const RoleSet& roles) const;
  /// All roles of a space.
  const RoleSet& all_roles(SpaceId space) const;
  bool tells_roles_apart(SpaceId space) const { return all_roles(space).size() <= kMostRolesToldApart; }
};

}  // namespace kasen
