/// @file
/// Unions of sorted lists of positions, and the halos and intervals that follow from them.

#include "partition/replicas.h"

#include <algorithm>
#include <iterator>

namespace kasen::partition {

void Replicas::append(const PeerLists& held, const PeerLists& lent) {
  for (std::size_t peer = 0; peer < _held.size(); ++peer) {
    _held[peer].insert(_held[peer].end(), held[peer].begin(), held[peer].end());
    _lent[peer].insert(_lent[peer].end(), lent[peer].begin(), lent[peer].end());
  }
}

void Replicas::append_role(Role role, PeerLists held, PeerLists lent) {
  const auto at = std::lower_bound(_roles.begin(), _roles.end(), role) - _roles.begin();
  _roles.insert(_roles.begin() + at, role);
  _held_positions.insert(_held_positions.begin() + at, std::move(held));
  _lent_positions.insert(_lent_positions.begin() + at, std::move(lent));
}

std::vector<LocalIndex> Replicas::select(const PeerLists& lists, const std::vector<PeerLists>& positions,
                                         const RoleSet& roles, std::size_t peer) const {
  std::vector<std::uint32_t> united, merged;
  for (std::size_t r = 0; r < _roles.size(); ++r) {
    if (!std::binary_search(roles.begin(), roles.end(), _roles[r])) continue;
    const std::vector<std::uint32_t>& next = positions[r][peer];
    merged.clear();
    merged.reserve(united.size() + next.size());
    std::set_union(united.begin(), united.end(), next.begin(), next.end(), std::back_inserter(merged));
    united.swap(merged);
  }
  for (std::uint32_t& entry : united) entry = lists[peer][entry];
  return united;
}

std::vector<Interval> Replicas::intervals(const RoleSet& roles) const {
  std::vector<Interval> runs;
  for (std::size_t owner = 0; owner < _held.size(); ++owner)
    for (LocalIndex local : select(_held, _held_positions, roles, owner)) {
      if (!runs.empty() && runs.back().first + runs.back().count == local)
        ++runs.back().count;
      else
        runs.push_back({local, 1});
    }
  // The replicas of a later matrix lie behind those of the first, for every owner again.
  std::sort(runs.begin(), runs.end(), [](const Interval& a, const Interval& b) { return a.first < b.first; });
  std::vector<Interval> merged;
  for (const Interval& run : runs) {
    if (!merged.empty() && merged.back().first + merged.back().count == run.first)
      merged.back().count += run.count;
    else
      merged.push_back(run);
  }
  return merged;
}

comm::Halo Replicas::halo(const RoleSet& roles) const {
  comm::Halo halo;
  halo.master_offsets.push_back(0);
  halo.replica_offsets.push_back(0);
  for (std::size_t peer = 0; peer < _held.size(); ++peer) {
    const std::vector<LocalIndex> lent = select(_lent, _lent_positions, roles, peer);
    const std::vector<LocalIndex> held = select(_held, _held_positions, roles, peer);
    halo.master_index.insert(halo.master_index.end(), lent.begin(), lent.end());
    halo.replica_index.insert(halo.replica_index.end(), held.begin(), held.end());
    halo.master_offsets.push_back(halo.master_index.size());
    halo.replica_offsets.push_back(halo.replica_index.size());
  }
  return halo;
}

Replicas::Measure Replicas::measure(const RoleSet& roles) const {
  Measure measure;
  for (std::size_t owner = 0; owner < _held.size(); ++owner) {
    const std::vector<LocalIndex> held = select(_held, _held_positions, roles, owner);
    if (held.empty()) continue;
    measure.count += held.size();
    measure.contiguous = measure.contiguous && held.back() - held.front() + 1 == held.size();
    measure.owners.push_back(static_cast<Rank>(owner));
  }
  return measure;
}

}  // namespace kasen::partition
