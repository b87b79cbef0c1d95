/// @file
/// Class Replicas: the replicas of an index space that a worker holds, by owner, and those that others hold of its
/// masters; and which of them each role needs. Any union of roles is worked out from these lists locally.
#pragma once

#include <cstdint>
#include <vector>

#include "comm/exchange.h"
#include "kasen/base/ids.h"
#include "kasen/base/state.h"

namespace kasen::partition {

/// A run of local indices.
struct Interval {
  LocalIndex first = 0;
  LocalIndex count = 0;
};

/// One list for each worker.
using PeerLists = std::vector<std::vector<std::uint32_t>>;

/// For every pair of workers there is one list of elements, known to both, in the order of the holder's local indices.
/// A role is a subset of it, as ascending positions, equal on both sides; so are unions, and no index need be sent.
class Replicas {
 public:
  explicit Replicas(int workers) : _held(static_cast<std::size_t>(workers)), _lent(_held) {}

  /// Appends to the lists: to `held[w]` my replicas whose masters worker w has, ascending; to `lent[w]` my masters of
  /// which worker w has replicas, in the order of their local indices there.
  void append(const PeerLists& held, const PeerLists& lent);
  /// Adds a role: `held[w]` and `lent[w]` are ascending positions in the lists of worker w.
  void append_role(Role role, PeerLists held, PeerLists lent);

  const RoleSet& roles() const { return _roles; }
  const PeerLists& held() const { return _held; }
  const PeerLists& lent() const { return _lent; }

  /// My replicas of any of the roles as runs of local indices, ascending, adjacent runs merged.
  std::vector<Interval> intervals(const RoleSet& roles) const;
  /// The halo of the roles. `contiguous` is left to the caller, as it depends on all workers.
  comm::Halo halo(const RoleSet& roles) const;

  /// The replicas that this worker holds for a set of roles.
  struct Measure {
    std::uint64_t count = 0;
    bool contiguous = true;    ///< one run of local indices per owner
    std::vector<Rank> owners;  ///< of their masters, ascending
  };
  Measure measure(const RoleSet& roles) const;

 private:
  /// Local indices in `lists[peer]` at the positions of any of the roles, in the order of the list.
  std::vector<LocalIndex> select(const PeerLists& lists, const std::vector<PeerLists>& positions, const RoleSet& roles,
                                 std::size_t peer) const;

  RoleSet _roles;
  PeerLists _held, _lent;
  std::vector<PeerLists> _held_positions, _lent_positions;  ///< by position of the role in _roles
};

}  // namespace kasen::partition
