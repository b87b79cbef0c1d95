/// @file
/// Placement in parts by the assignments and the cut that Placement uses, counted from the entries themselves.

#include "partition/parts.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "partition/assignment.h"
#include "partition/blocked_matrix.h"
#include "partition/choose.h"
#include "partition/imbalance.h"
#include "partition/partitioner.h"
#include "partition/sorted_indices.h"
#include "partition/symmetry.h"

namespace kasen::partition {
namespace {

using Keys = std::vector<std::uint64_t>;  ///< element * workers + part, ascending and distinct

/// The replicas that one side of the matrix needs.
Keys replicas(GlobalIndexView indices, std::span<const Rank> part, const Assignment& owners) {
  const auto workers = static_cast<std::uint64_t>(owners.parts());
  Keys keys;
  for (std::size_t k = 0; k < indices.size(); ++k) {
    if (owners.owner(indices[k]) == part[k]) continue;
    keys.push_back(static_cast<std::uint64_t>(indices[k]) * workers + static_cast<std::uint64_t>(part[k]));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

PlacementStats::Roles counted(RoleSet roles, const Keys& keys, const Assignment& owners) {
  const auto workers = static_cast<std::uint32_t>(owners.parts());
  std::vector<WorkerPairs::Pair> pairs;
  pairs.reserve(keys.size());
  for (std::uint64_t key : keys) {
    const Rank owner = owners.owner(static_cast<GlobalIndex>(key / workers));
    pairs.push_back({static_cast<std::uint32_t>(key % workers), static_cast<std::uint32_t>(owner)});
  }
  return {std::move(roles), keys.size(), true, WorkerPairs(workers, pairs)};
}

std::vector<Rank> cut(const Entries& entries, const Partitioning& partitioning) {
  std::vector<GlobalIndex> high;
  const std::uint64_t columns = partitioning.columns.length();
  if (partitioning.rule.kind == EntryRule::Kind::hybrid) {
    for (const IndexCount& column : count_distinct(entries.column, columns)) {
      if (column.count > partitioning.rule.threshold) high.push_back(column.index);
    }
  }
  return parts_of(entries.row, entries.column, IndexSet(std::move(high), columns, columns), partitioning);
}

/// Whether Placement::add_matrix would find it dense: every element once, and every part a rectangle of local indices.
bool stored_dense(const Entries& entries, std::uint64_t rows, std::uint64_t columns, const EntryRule& rule, int parts,
                  bool one_space, const Options& options, const PlacementStats::Matrix& matrix) {
  if (matrix.value_bytes == 0 || options.storage == Storage::compressed || entries.row.empty()) return false;
  if (rule.kind == EntryRule::Kind::grid && one_space && grid_columns(parts) > 1) return false;
  if (entries.row.size() % rows != 0 || entries.row.size() / rows != columns) return false;
  std::vector<bool> seen(entries.row.size());
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const std::uint64_t at =
        static_cast<std::uint64_t>(entries.row[k]) * columns + static_cast<std::uint64_t>(entries.column[k]);
    if (seen[at]) return false;
    seen[at] = true;
  }
  return true;
}

/// What storage is like, if one block holds all inputs. Beyond, runs depend on the local order. A worker's outputs are
/// its masters, with entries or not, and what it has entries of.
PlacementStats::Matrix::Blocks runs_of_one_block(GlobalIndexView outputs, std::span<const Rank> part,
                                                 const Assignment& owners, std::uint32_t workers) {
  Keys keys;
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    keys.push_back(static_cast<std::uint64_t>(outputs[k]) * workers + static_cast<std::uint64_t>(part[k]));
  }
  std::sort(keys.begin(), keys.end());
  Keys with_entries, masters, local;
  std::unique_copy(keys.begin(), keys.end(), std::back_inserter(with_entries));
  for (std::uint64_t k = 0; k < owners.length(); ++k)
    masters.push_back(k * workers + static_cast<std::uint64_t>(owners.owner(static_cast<GlobalIndex>(k))));
  std::set_union(with_entries.begin(), with_entries.end(), masters.begin(), masters.end(), std::back_inserter(local));
  PlacementStats::Matrix::Blocks blocks{true};
  std::vector<std::ptrdiff_t> before(workers, 0);  // by worker: the length of its last run
  auto run = keys.begin();
  for (const std::uint64_t output : local) {
    const auto end = std::upper_bound(run, keys.end(), output);
    const std::ptrdiff_t length = end - run;
    if (length > 0) ++blocks.runs;
    if (length > std::ptrdiff_t{BlockedMatrix::kLongestGroup}) ++blocks.long_runs;
    blocks.turns += std::exchange(before[static_cast<std::size_t>(output % workers)], length) != length;
    run = end;
  }
  return blocks;
}

double imbalance(std::span<const Rank> part, std::uint32_t workers) {
  std::vector<std::uint64_t> load(workers);
  for (Rank p : part) ++load[static_cast<std::size_t>(p)];
  return imbalance_of(load);
}

std::vector<Rank> owners_of_all(const Assignment& assignment) {
  std::vector<Rank> owners(assignment.length());
  for (std::size_t k = 0; k < owners.size(); ++k) owners[k] = assignment.owner(static_cast<GlobalIndex>(k));
  return owners;
}

}  // namespace

void place_in_parts(const Entries& entries, std::uint64_t rows, std::uint64_t columns, std::uint32_t workers,
                    const Options& options, PlacementStats& stats, const Assignment* owners) {
  PlacementStats::Matrix& matrix = stats.matrices.at(0);
  const bool one_space = matrix.rows == matrix.columns;
  // As Placement does: two spaces are not assigned alike.
  const Shape shape{rows, columns, one_space, index_of(matrix.columns) + 1, owners, one_space ? owners : nullptr};
  const Partitioning partitioning =
      partition_as_asked(nullptr, options, entries, shape, static_cast<int>(workers)).partitioning;
  const Assignment& by_row = partitioning.rows;
  const Assignment& by_column = partitioning.columns;
  const std::vector<Rank> part = cut(entries, partitioning);

  const Role row{MatrixId{0}, Role::Side::row}, column{MatrixId{0}, Role::Side::column};
  const Keys of_rows = replicas(entries.row, part, by_row), of_columns = replicas(entries.column, part, by_column);
  const auto describe = [&](SpaceId id, const Assignment& of, std::vector<PlacementStats::Roles> roles) {
    PlacementStats::Space& space = stats.spaces.at(index_of(id));
    space.masters = of.length();
    space.imbalance = imbalance(owners_of_all(of), workers);
    space.replicas = roles.back().replicas;
    space.blocks = of.kind() == Assignment::Kind::block && options.numbering != Numbering::degree;
    space.roles = std::move(roles);
  };
  std::vector<PlacementStats::Roles> row_roles{counted({row}, of_rows, by_row)};
  std::vector<PlacementStats::Roles> column_roles{counted({column}, of_columns, by_column)};
  if (one_space) {
    Keys all;
    std::set_union(of_rows.begin(), of_rows.end(), of_columns.begin(), of_columns.end(), std::back_inserter(all));
    row_roles.push_back(std::move(column_roles[0]));
    row_roles.push_back(counted({row, column}, all, by_row));
  } else {
    describe(matrix.columns, by_column, std::move(column_roles));
  }
  describe(matrix.rows, by_row, std::move(row_roles));
  for (PlacementStats::Space& space : stats.spaces) {
    if (space.roles.empty())  // in blocks
      space.imbalance = imbalance_of((space.masters + workers - 1) / workers, workers, space.masters);
  }
  matrix.nonzeros = entries.row.size();
  matrix.imbalance = imbalance(part, workers);
  matrix.dense =
      stored_dense(entries, rows, columns, partitioning.rule, static_cast<int>(workers), one_space, options, matrix);
  // Entries may have come without the values that the matrix has.
  const bool values_known = entries.value_bytes == matrix.value_bytes || matrix.symmetric;
  matrix.symmetric = one_space && !matrix.dense && values_known && asymmetry(entries) == 0;
  matrix.stencils_by_column = matrix.stencils_by_row = {};  // which depend on the local order
  const auto count_blocks = [&](PlacementStats::Matrix::Blocks& blocks, std::uint64_t inputs, GlobalIndexView outputs,
                                const Assignment& of_outputs) {
    const PlacementStats::Matrix::Blocks recorded = std::exchange(blocks, {});
    if (matrix.dense || (options.storage != Storage::blocked && !recorded.counted)) return;
    blocks = runs_of_one_block(outputs, part, of_outputs, workers);
    if (inputs > options.block_edge || options.storage == Storage::compressed) blocks = {false, 0, 0, blocks.turns};
    blocks.cached = recorded.cached;
  };
  count_blocks(matrix.by_column, rows, entries.column, by_column);
  count_blocks(matrix.by_row, columns, entries.row, by_row);
  stats.workers = workers;
}

}  // namespace kasen::partition
