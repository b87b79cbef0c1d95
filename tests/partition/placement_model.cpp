/// @file
/// The reference, in terms of sets and maps.

#include "tests/partition/placement_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <span>
#include <tuple>

#include "comm/exchange.h"
#include "partition/hybrid_cut.h"

namespace kasen::partition {
namespace {

std::size_t at(Rank worker) { return static_cast<std::size_t>(worker); }

void fold_sum(const void*, void* into, const std::uint32_t* index, const void* from, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k)
    static_cast<GlobalIndex*>(into)[index == nullptr ? k : index[k]] += static_cast<const GlobalIndex*>(from)[k];
}

/// Global indices must meet their equals on the way to the replicas, and each master as many as the model says.
void expect_exchange(const SpaceModel& model, const IndexSpace& space, const RoleSet& roles,
                     const comm::Communicator& communicator) {
  const comm::Halo& halo = space.halo(roles);
  const Rank me = communicator.rank();
  const std::set<GlobalIndex> mine = model.replicas_of(roles, me);
  const std::span<const GlobalIndex> global = space.global();

  std::vector<GlobalIndex> data(global.begin(), global.end());
  std::fill(data.begin() + space.masters(), data.end(), -1);
  const auto run = [&](comm::Transfer::Kind kind) {
    comm::Exchange exchange(communicator, {{kind, &halo, data.data(), sizeof(GlobalIndex), {&fold_sum, nullptr}}}, {},
                            false);
    std::vector<std::byte> packing(exchange.packing_bytes());
    exchange.run(packing);
  };
  run(comm::Transfer::Kind::broadcast_to_replicas);
  for (std::size_t k = space.masters(); k < data.size(); ++k)
    EXPECT_EQ(data[k], mine.count(global[k]) == 1 ? global[k] : -1);

  std::fill(data.begin(), data.end(), 1);
  run(comm::Transfer::Kind::reduce_to_masters);
  std::map<GlobalIndex, GlobalIndex> holders;
  for (Rank worker = 0; worker < communicator.size(); ++worker)
    for (GlobalIndex index : model.replicas_of(roles, worker)) ++holders[index];
  for (std::size_t k = 0; k < space.masters(); ++k) {
    const auto entry = holders.find(global[k]);
    EXPECT_EQ(data[k], 1 + (entry == holders.end() ? 0 : entry->second));
  }
}

bool one_run_per_owner(const SpaceModel& model, const RoleSet& roles, Rank worker) {
  const std::set<GlobalIndex> replicas = model.replicas_of(roles, worker);
  std::map<Rank, std::vector<std::size_t>> positions;
  for (std::size_t k = 0; k < model.local[at(worker)].size(); ++k)
    if (replicas.count(model.local[at(worker)][k]) == 1)
      positions[model.assignment.owner(model.local[at(worker)][k])].push_back(k);
  return std::all_of(positions.begin(), positions.end(), [](const auto& entry) {
    return entry.second.back() - entry.second.front() + 1 == entry.second.size();
  });
}

void expect_stats(const SpaceModel& model, const PlacementStats& stats, SpaceId id, const RoleSet& roles,
                  const IndexSpace& space) {
  const PlacementStats::Roles& entry = stats.of(id, roles);
  ASSERT_EQ(entry.roles, roles);
  const auto workers = static_cast<Rank>(stats.workers);
  std::uint64_t replicas = 0;
  bool contiguous = true;
  std::vector<WorkerPairs::Pair> pairs;
  for (Rank worker = 0; worker < workers; ++worker) {
    const std::set<GlobalIndex> held = model.replicas_of(roles, worker);
    replicas += held.size();
    contiguous = contiguous && one_run_per_owner(model, roles, worker);
    for (GlobalIndex index : held) {
      const Rank owner = model.assignment.owner(index);
      pairs.push_back({static_cast<std::uint32_t>(worker), static_cast<std::uint32_t>(owner)});
    }
  }
  EXPECT_EQ(entry.replicas, replicas);
  EXPECT_EQ(entry.contiguous, contiguous);
  EXPECT_EQ(entry.pairs, WorkerPairs(stats.workers, pairs));
  EXPECT_EQ(space.halo(roles).contiguous, contiguous);
}

}  // namespace

std::vector<Cut> all_cuts() {
  return {{"threshold 100", Partition::hybrid_cut, 100},
          {"block", Partition::block, 100},
          {"threshold 0", Partition::hybrid_cut, 0},
          {"threshold 7", Partition::hybrid_cut, 7},
          {"no threshold", Partition::hybrid_cut, kNoThreshold},
          {"row", Partition::row, 100},
          {"column", Partition::column, 100},
          {"2d", Partition::grid, 100}};
}

Options options_of(const Cut& cut) {
  Options options;
  options.partition = cut.partition;
  options.threshold = cut.threshold;
  return options;
}

SpaceModel::SpaceModel(Assignment owners) : assignment(owners), local(at(owners.parts())) {
  for (std::uint64_t i = 0; i < owners.length(); ++i)
    local[at(owners.owner(static_cast<GlobalIndex>(i)))].push_back(static_cast<GlobalIndex>(i));
}

std::set<GlobalIndex> SpaceModel::replicas_of(const RoleSet& roles, Rank worker) const {
  std::set<GlobalIndex> united;
  for (const Role& role : roles) {
    const std::set<GlobalIndex>& held = replicas.at(role)[at(worker)];
    united.insert(held.begin(), held.end());
  }
  return united;
}

RoleSet SpaceModel::roles() const {
  RoleSet all;
  for (const auto& entry : replicas) all.push_back(entry.first);
  return all;
}

std::vector<Rank> parts_of(const tests::Edges& edges, const Cut& cut, const Assignment& rows,
                           const Assignment& columns) {
  std::map<GlobalIndex, std::uint64_t> in_degree;
  for (GlobalIndex target : edges.target) ++in_degree[target];
  int across = 1;
  for (int side = 1; side * side <= rows.parts(); ++side)
    if (rows.parts() % side == 0) across = side;
  std::vector<Rank> parts;
  for (std::size_t k = 0; k < edges.source.size(); ++k) {
    const Rank row = rows.owner(edges.source[k]), column = columns.owner(edges.target[k]);
    switch (cut.partition) {
      case Partition::column:
        parts.push_back(column);
        break;
      case Partition::grid:
        parts.push_back(row - row % across + column % across);
        break;
      case Partition::hybrid_cut:
        parts.push_back(in_degree[edges.target[k]] > cut.threshold ? row : column);
        break;
      default:
        parts.push_back(row);
    }
  }
  return parts;
}

void add_matrix(SpaceModel& rows, SpaceModel& columns, MatrixId matrix, const tests::Edges& edges,
                const std::vector<Rank>& parts) {
  const Role row{matrix, Role::Side::row}, column{matrix, Role::Side::column};
  rows.replicas[row].resize(rows.local.size());
  columns.replicas[column].resize(columns.local.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (rows.assignment.owner(edges.source[k]) != parts[k]) rows.replicas[row][at(parts[k])].insert(edges.source[k]);
    if (columns.assignment.owner(edges.target[k]) != parts[k])
      columns.replicas[column][at(parts[k])].insert(edges.target[k]);
  }
  for (SpaceModel* space : {&rows, &columns}) {
    // Of the first matrix only: what others hold has its number.
    const bool orders = space->by_degree && space->replicas.size() == (&rows == &columns ? 2u : 1u);
    for (std::size_t worker = 0; worker < space->local.size(); ++worker) {
      std::vector<GlobalIndex>& local = space->local[worker];
      std::map<GlobalIndex, std::int64_t> minus_degree;
      for (std::size_t k = 0; orders && k < parts.size(); ++k) {
        if (at(parts[k]) != worker) continue;
        if (space == &rows) --minus_degree[edges.source[k]];
        if (space == &columns) --minus_degree[edges.target[k]];
      }
      std::stable_sort(local.begin(), local.end(),
                       [&](GlobalIndex a, GlobalIndex b) { return orders && minus_degree[a] < minus_degree[b]; });
      std::set<GlobalIndex> known(local.begin(), local.end());
      std::set<std::tuple<Rank, int, std::int64_t, GlobalIndex>> fresh;
      const auto of_role = [&](const Role& role) {
        const auto entry = space->replicas.find(role);
        return entry == space->replicas.end() ? std::set<GlobalIndex>{} : entry->second[worker];
      };
      const std::set<GlobalIndex> of_row = of_role(row), of_column = of_role(column);
      for (const std::set<GlobalIndex>* side : {&of_row, &of_column})
        for (GlobalIndex index : *side) {
          if (known.count(index) == 1) continue;
          const int kind = of_column.count(index) == 0 ? 0 : of_row.count(index) == 1 ? 1 : 2;
          fresh.emplace(space->assignment.owner(index), kind, orders ? minus_degree[index] : 0, index);
        }
      for (const auto& element : fresh) local.push_back(std::get<3>(element));
    }
    if (&rows == &columns) break;
  }
}

Entries entries_read(const tests::Edges& edges, const comm::Communicator& communicator, bool values) {
  const std::size_t number = edges.source.size();
  const auto readers = static_cast<std::size_t>(std::max(1, communicator.size() - 1));
  const auto me = static_cast<std::size_t>(communicator.rank());
  const auto begin_of = [&](std::size_t reader) { return number * reader * reader / (readers * readers); };
  Entries entries;
  if (me >= readers) return entries;  // and no idea of value_bytes
  entries.value_bytes = values ? sizeof(std::uint32_t) : 0;
  for (std::size_t k = begin_of(me); k < begin_of(me + 1); ++k) {
    entries.row.push_back(edges.source[k]);
    entries.column.push_back(edges.target[k]);
  }
  entries.value.resize(entries.row.size() * entries.value_bytes);
  for (std::size_t k = 0; values && k < entries.row.size(); ++k) {
    const auto position = static_cast<std::uint32_t>(begin_of(me) + k);
    std::memcpy(&entries.value[k * sizeof position], &position, sizeof position);
  }
  return entries;
}

void expect_space(const SpaceModel& model, const Placement& placement, SpaceId id,
                  const comm::Communicator& communicator) {
  const IndexSpace& space = placement.space(id);
  const PlacementStats::Space& stats = placement.stats().spaces.at(index_of(id));
  const Rank me = communicator.rank();
  const std::vector<GlobalIndex>& local = model.local[at(me)];

  ASSERT_TRUE(space.assigned());
  EXPECT_EQ(space.blocks(), model.assignment.kind() == Assignment::Kind::block && !model.by_degree);
  EXPECT_EQ(stats.blocks, space.blocks());
  EXPECT_EQ(stats.masters, model.assignment.length());
  const auto most = static_cast<double>(communicator.max(std::uint64_t{space.masters()}));
  const auto mean = static_cast<double>(space.length()) / communicator.size();
  EXPECT_DOUBLE_EQ(stats.imbalance, space.length() == 0 ? 1 : most / mean);
  for (GlobalIndex i = 0; i < static_cast<GlobalIndex>(space.length()); ++i)
    ASSERT_EQ(space.owner(i), model.assignment.owner(i));
  ASSERT_EQ(space.local_size(), local.size());
  for (LocalIndex k = 0; k < space.local_size(); ++k) ASSERT_EQ(space.global_of(k), local[k]);  // before global() fills
  EXPECT_EQ(std::vector<GlobalIndex>(space.global().begin(), space.global().end()), local);
  EXPECT_EQ(space.masters(), static_cast<std::size_t>(std::count_if(
                                 local.begin(), local.end(), [&](GlobalIndex i) { return space.owner(i) == me; })));
  std::vector<GlobalIndex> sorted = local;
  std::sort(sorted.begin(), sorted.end());
  const std::vector<LocalIndex> numbers = space.local(sorted);
  for (std::size_t k = 0; k < sorted.size(); ++k) EXPECT_EQ(local[numbers[k]], sorted[k]);

  const RoleSet roles = model.roles();
  ASSERT_EQ(space.roles(), roles);
  ASSERT_LE(roles.size(), 6u);
  ASSERT_EQ(stats.roles.size(), (std::size_t{1} << roles.size()) - 1);
  for (const PlacementStats::Roles& entry : stats.roles) {
    expect_stats(model, placement.stats(), id, entry.roles, space);
    const std::set<GlobalIndex> mine = model.replicas_of(entry.roles, me);
    std::set<GlobalIndex> covered;
    LocalIndex end = 0;
    for (const Interval& interval : space.replicas(entry.roles)) {
      EXPECT_GT(interval.count, 0u);
      EXPECT_TRUE(end == 0 || interval.first > end) << "adjacent runs are merged";
      end = interval.first + interval.count;
      for (LocalIndex k = interval.first; k < end; ++k) covered.insert(local.at(k));
    }
    EXPECT_EQ(covered, mine);
    expect_exchange(model, space, entry.roles, communicator);
  }
  EXPECT_TRUE(space.replicas({}).empty());
  EXPECT_EQ(space.halo({}).replica_offsets, std::vector<std::uint64_t>(at(communicator.size()) + 1));
  std::uint64_t replicas = 0;
  for (Rank worker = 0; worker < communicator.size(); ++worker) replicas += model.replicas_of(roles, worker).size();
  EXPECT_EQ(stats.replicas, replicas);
}

void expect_matrix(const tests::Edges& edges, const std::vector<Rank>& parts, Placement& placement, MatrixId id,
                   Rank rank) {
  LocalMatrix& matrix = placement.matrix(id);
  const PlacementStats::Matrix& stats = placement.stats().matrices.at(index_of(id));
  const IndexSpace& rows = placement.space(stats.rows);
  const IndexSpace& columns = placement.space(stats.columns);
  std::vector<std::uint64_t> count(placement.stats().workers);
  for (Rank part : parts) ++count[at(part)];
  EXPECT_EQ(stats.nonzeros, parts.size());
  EXPECT_EQ(matrix.nonzeros(), count[at(rank)]);
  const double mean = static_cast<double>(parts.size()) / static_cast<double>(count.size());
  const auto largest = static_cast<double>(*std::max_element(count.begin(), count.end()));
  EXPECT_DOUBLE_EQ(stats.imbalance, parts.empty() ? 1.0 : largest / mean);
  EXPECT_EQ(matrix.value_bytes(), stats.value_bytes);

  using Entry = std::tuple<GlobalIndex, GlobalIndex, std::uint32_t>;
  std::multiset<Entry> expected;
  for (std::size_t k = 0; k < parts.size(); ++k)
    if (parts[k] == rank)
      expected.emplace(edges.source[k], edges.target[k], stats.value_bytes == 0 ? 0 : static_cast<std::uint32_t>(k));
  for (const bool by_column : {true, false}) {
    const CompressedView view = by_column ? matrix.by_column() : matrix.by_row();
    const IndexSpace& outputs = by_column ? columns : rows;
    const IndexSpace& inputs = by_column ? rows : columns;
    ASSERT_EQ(view.pointer.size(), std::size_t{outputs.local_size()} + 1);
    std::multiset<Entry> found;
    for (LocalIndex output = 0; output < outputs.local_size(); ++output)
      for (std::uint64_t k = view.pointer[output]; k < view.pointer[output + 1]; ++k) {
        if (k > view.pointer[output]) {
          EXPECT_LE(view.index[k - 1], view.index[k]);
        }
        const GlobalIndex j = outputs.global()[output], i = inputs.global()[view.index[k]];
        std::uint32_t value = 0;
        if (view.value != nullptr) std::memcpy(&value, view.value + k * sizeof value, sizeof value);
        found.emplace(by_column ? i : j, by_column ? j : i, value);
      }
    EXPECT_EQ(found, expected);
  }
}

}  // namespace kasen::partition
