/// @file
/// Numbering of masters and replicas, and the handshake of their holders with their owners.

#include "partition/index_space.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "kasen/base/release.h"
#include "partition/distribute.h"
#include "partition/sorted_indices.h"

namespace kasen::partition {
namespace {

/// The degrees by which elements are put in order; larger ones than any is in practice are as good as equal.
class DegreeReader {
 public:
  explicit DegreeReader(const IndexCounts& degrees) : _count(degrees) {}
  std::uint32_t operator()(GlobalIndex index) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(_count(index), std::numeric_limits<std::uint32_t>::max()));
  }

 private:
  IndexCounts::Reader _count;
};

/// An element that this worker is to hold a replica of.
struct Fresh {
  GlobalIndex global;
  std::uint32_t run;     ///< owner, then row-only, both, column-only
  std::uint32_t degree;  ///< where the space is numbered by degree
};

/// Collective. Sends `lists[w]` to worker w.
PeerLists swap_lists(const comm::Communicator& communicator, const PeerLists& lists) {
  std::vector<std::uint32_t> values;
  std::vector<std::uint64_t> offsets{0};
  for (const std::vector<std::uint32_t>& list : lists) {
    values.insert(values.end(), list.begin(), list.end());
    offsets.push_back(values.size());
  }
  const comm::Received<std::uint32_t> received =
      communicator.all_to_all(std::span<const std::uint32_t>(values), std::span<const std::uint64_t>(offsets));
  PeerLists result(lists.size());
  for (std::size_t peer = 0; peer < lists.size(); ++peer)
    result[peer].assign(received.values.begin() + static_cast<std::ptrdiff_t>(received.offsets[peer]),
                        received.values.begin() + static_cast<std::ptrdiff_t>(received.offsets[peer + 1]));
  return result;
}

void check_limit(std::uint64_t elements, std::uint64_t limit, const std::string& space) {
  if (elements <= limit) return;
  throw InputError("a worker would hold " + std::to_string(elements) + " elements of the index space '" + space +
                   "', but can number " + std::to_string(limit) + ": use more workers");
}

}  // namespace

IndexSpace::IndexSpace(std::string name, std::uint64_t length, int workers, Rank rank)
    : _name(std::move(name)), _length(length), _rank(rank), _replicas(workers) {}

void IndexSpace::check_length(int workers, std::uint64_t limit) const {
  const auto parts = static_cast<std::uint64_t>(workers);
  check_limit(_length / parts + (_length % parts != 0 ? 1 : 0), limit, _name);
}

void IndexSpace::assign(const comm::Communicator& communicator, const Assignment& assignment, std::uint64_t limit) {
  std::uint64_t masters = 0;
  if (assignment.kind() == Assignment::Kind::block) {
    check_limit(assignment.longest_block(), limit, _name);
    masters = static_cast<std::uint64_t>(assignment.block_begin(_rank + 1) - assignment.block_begin(_rank));
  } else {
    _global = masters_of(communicator, assignment);
    masters = _global.size();
    comm::agree(communicator, [&] { check_limit(masters, limit, _name); });
  }
  _assignment = assignment;
  _assigned = true;
  _masters = static_cast<LocalIndex>(masters);
}

std::span<const GlobalIndex> IndexSpace::global() const {
  if (_global.size() < local_size()) {
    const bool number_masters = _global.size() < _masters;
    _global.resize(local_size());
    if (number_masters) std::iota(_global.begin(), _global.begin() + _masters, first_master());
    for (const Replica& replica : _replica_by_global) _global[replica.local] = replica.global;
  }
  return _global;
}

GlobalIndex IndexSpace::global_of(LocalIndex element) const {
  if (element < _masters) return blocks() ? first_master() + static_cast<GlobalIndex>(element) : _global[element];
  return std::find_if(_replica_by_global.begin(), _replica_by_global.end(),
                      [&](const Replica& replica) { return replica.local == element; })
      ->global;
}

GlobalIndex IndexSpace::ascending_master(LocalIndex k) const {
  if (blocks()) return first_master() + static_cast<GlobalIndex>(k);
  return _global[ascending_number(k)];
}

void IndexSpace::number_by_degree(IndexCounts degrees) {
  if (!_assigned || _numbered) throw InternalError("index space '" + _name + "' cannot be numbered by degree");
  std::vector<std::uint32_t> degree(_masters);
  DegreeReader degree_of(degrees);
  for (LocalIndex k = 0; k < _masters; ++k) degree[k] = degree_of(ascending_master(k));
  if (_replicas.held().size() > 1) {
    _degrees = std::move(degrees);
  } else {
    degrees = {};
  }
  std::vector<LocalIndex> order(_masters);
  std::iota(order.begin(), order.end(), LocalIndex{0});
  std::stable_sort(order.begin(), order.end(), [&](LocalIndex a, LocalIndex b) { return degree[a] > degree[b]; });
  release(degree);
  std::vector<GlobalIndex> ordered(_masters);
  std::vector<LocalIndex> ascending(_masters);
  for (LocalIndex local = 0; local < _masters; ++local) {
    ordered[local] = ascending_master(order[local]);
    ascending[order[local]] = local;
  }
  _global = std::move(ordered);
  _ascending = std::move(ascending);
  _by_degree = true;
}

std::vector<LocalIndex> IndexSpace::local(std::span<const GlobalIndex> indices) const {
  std::vector<LocalIndex> result(indices.size());
  auto replica = _replica_by_global.begin();
  const bool in_block = _assignment.kind() == Assignment::Kind::block;
  const GlobalIndex first = in_block ? _assignment.block_begin(_rank) : 0;
  LocalIndex master = 0;  // of the ascending ones
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const GlobalIndex index = indices[k];
    bool mine = false;
    if (in_block) {
      mine = index >= first && index - first < static_cast<GlobalIndex>(_masters);
      if (mine) master = static_cast<LocalIndex>(index - first);
    } else {
      while (master < _masters && ascending_master(master) < index) ++master;
      mine = master < _masters && ascending_master(master) == index;
    }
    if (mine) {
      result[k] = ascending_number(master);
      continue;
    }
    while (replica->global < index) ++replica;
    result[k] = replica->local;
  }
  return result;
}

std::span<const LocalIndex> IndexSpace::numbers() const {
  const bool alone = _replicas.held().size() == 1;
  if (alone) return _ascending;
  if (_numbers.empty()) {
    std::vector<GlobalIndex> all(_length);
    std::iota(all.begin(), all.end(), GlobalIndex{0});
    _numbers = local(all);
  }
  return _numbers;
}

std::span<const Interval> IndexSpace::replicas(const RoleSet& roles) const {
  require_known(roles);
  const auto [entry, fresh] = _intervals.try_emplace(roles);
  if (fresh) entry->second = _replicas.intervals(roles);
  return entry->second;
}

const comm::Halo& IndexSpace::halo(const RoleSet& roles) const {
  require_known(roles);
  const auto listed = _listed.find(roles);
  if (listed == _listed.end() && !roles.empty()) {
    throw InternalError("index space '" + _name + "' lists no such set of roles");
  }
  const auto [entry, fresh] = _halos.try_emplace(roles);
  if (fresh) {
    entry->second = _replicas.halo(roles);
    entry->second.contiguous = listed == _listed.end() || listed->second;
    entry->second.largest_count = _largest_count;
  }
  return entry->second;
}

void IndexSpace::require_known(const RoleSet& roles) const {
  if (!includes_roles(_replicas.roles(), roles)) throw InternalError("no such role on index space '" + _name + "'");
}

void IndexSpace::add_roles(const comm::Communicator& communicator, MatrixId matrix, std::span<const Touched> sides,
                           std::uint64_t limit) {
  _numbered = true;
  const IndexCounts degrees = std::exchange(_degrees, {});
  const PeerLists none(static_cast<std::size_t>(communicator.size()));
  if (communicator.size() == 1) {
    for (const Touched& touched : sides) _replicas.append_role({matrix, touched.side}, none, none);
    return;
  }
  std::vector<GlobalIndex> foreign[3];
  for (const Touched& touched : sides) foreign[static_cast<std::size_t>(touched.side)] = elsewhere(touched.indices);
  number(communicator, sides[0].side == Role::Side::everywhere ? foreign[2] : foreign[0], foreign[1], degrees, limit);
  for (const Touched& touched : sides) {
    PeerLists held = positions(foreign[static_cast<std::size_t>(touched.side)]);
    PeerLists lent = swap_lists(communicator, held);
    _replicas.append_role({matrix, touched.side}, std::move(held), std::move(lent));
  }
  std::uint64_t lent = 0;
  for (const auto& list : _replicas.lent()) lent += list.size();
  _largest_count = communicator.max(std::max<std::uint64_t>(local_size(), lent));
}

std::vector<GlobalIndex> IndexSpace::elsewhere(std::span<const GlobalIndex> indices) const {
  std::vector<GlobalIndex> result;
  std::copy_if(indices.begin(), indices.end(), std::back_inserter(result),
               [this](GlobalIndex index) { return owner(index) != _rank; });
  return result;
}

/// Collective. Gives numbers to those of `rows` and `columns`, all owned elsewhere, that have none yet.
void IndexSpace::number(const comm::Communicator& communicator, std::span<const GlobalIndex> rows,
                        std::span<const GlobalIndex> columns, const IndexCounts& degrees, std::uint64_t limit) {
  const auto workers = static_cast<std::size_t>(communicator.size());
  std::vector<Fresh> fresh;
  std::vector<std::uint64_t> next(3 * workers + 1);
  auto known = _replica_by_global.begin();
  DegreeReader degree_of(degrees);
  for (auto row = rows.begin(), column = columns.begin(); row != rows.end() || column != columns.end();) {
    const bool of_row = column == columns.end() || (row != rows.end() && *row <= *column);
    const bool of_column = row == rows.end() || (column != columns.end() && *column <= *row);
    const GlobalIndex index = of_row ? *row : *column;
    if (of_row) ++row;
    if (of_column) ++column;
    while (known != _replica_by_global.end() && known->global < index) ++known;
    if (known != _replica_by_global.end() && known->global == index) continue;
    const std::uint32_t kind = !of_column ? 0 : of_row ? 1 : 2;
    fresh.push_back({index, 3 * static_cast<std::uint32_t>(owner(index)) + kind, degree_of(index)});
    ++next[std::size_t{fresh.back().run} + 1];
  }
  std::partial_sum(next.begin(), next.end(), next.begin());
  const LocalIndex base = local_size();
  comm::agree(communicator, [&] { check_limit(std::uint64_t{base} + fresh.size(), limit, _name); });

  std::vector<std::uint64_t> offsets(workers + 1);
  for (std::size_t worker = 0; worker <= workers; ++worker) offsets[worker] = next[3 * worker];
  if (!degrees.empty())  // stable: they are in ascending order
    std::stable_sort(fresh.begin(), fresh.end(), [](const Fresh& a, const Fresh& b) { return a.degree > b.degree; });
  std::vector<GlobalIndex> ordered(fresh.size());
  const auto old_end = static_cast<std::ptrdiff_t>(_replica_by_global.size());
  for (const Fresh& element : fresh) {
    const std::uint64_t position = next[element.run]++;
    ordered[position] = element.global;
    _replica_by_global.push_back({element.global, base + static_cast<LocalIndex>(position)});
  }
  const auto by_global = [](const Replica& a, const Replica& b) { return a.global < b.global; };
  if (!degrees.empty()) std::sort(_replica_by_global.begin() + old_end, _replica_by_global.end(), by_global);
  std::inplace_merge(_replica_by_global.begin(), _replica_by_global.begin() + old_end, _replica_by_global.end(),
                     by_global);

  const comm::Received<GlobalIndex> asked =
      communicator.all_to_all(std::span<const GlobalIndex>(ordered), std::span<const std::uint64_t>(offsets));
  const std::size_t table = blocks() ? 0 : _masters;
  std::vector<LocalIndex> numbers(table);
  for (LocalIndex k = 0; k < table; ++k) numbers[k] = ascending_number(k);
  std::vector<GlobalIndex> ascending;
  if (!_ascending.empty()) {
    ascending.resize(table);
    for (LocalIndex k = 0; k < table; ++k) ascending[k] = ascending_master(k);
  }
  const std::span<const GlobalIndex> keys = _ascending.empty() ? std::span<const GlobalIndex>(_global) : ascending;
  const LocalNumbers hashed(keys.first(table), std::move(numbers));
  PeerLists held(workers), lent(workers);
  for (std::size_t peer = 0; peer < workers; ++peer) {
    held[peer].resize(offsets[peer + 1] - offsets[peer]);
    std::iota(held[peer].begin(), held[peer].end(), base + static_cast<LocalIndex>(offsets[peer]));
    for (std::uint64_t k = asked.offsets[peer]; k < asked.offsets[peer + 1]; ++k)
      lent[peer].push_back(blocks() ? static_cast<LocalIndex>(asked.values[k] - first_master())
                                    : hashed[asked.values[k]]);
  }
  _replicas.append(held, lent);
}

/// For each owner, where in its list the given replicas (ascending) are; ascending.
PeerLists IndexSpace::positions(std::span<const GlobalIndex> replicas) const {
  std::vector<bool> wanted(_replica_by_global.size());
  for (LocalIndex local_index : local(replicas)) wanted[local_index - _masters] = true;
  PeerLists result(_replicas.held().size());
  for (std::size_t peer = 0; peer < result.size(); ++peer) {
    const std::vector<LocalIndex>& held = _replicas.held()[peer];
    for (std::uint32_t position = 0; position < held.size(); ++position)
      if (wanted[held[position] - _masters]) result[peer].push_back(position);
  }
  return result;
}

}  // namespace kasen::partition
