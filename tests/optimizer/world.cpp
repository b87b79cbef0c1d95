/// @file
/// Owners, non-zeros and statistics from one sequence of random numbers.
#include "tests/optimizer/world.h"

#include <algorithm>
#include <map>
#include <set>

namespace kasen::optimizer::tests {

std::uint64_t World::next_random() {
  _random = _random * 6364136223846793005u + 1442695040888963407u;
  return _random >> 33;
}

World::World(std::uint32_t worker_count, std::vector<std::uint64_t> space_lengths)
    : workers(worker_count), lengths(std::move(space_lengths)) {
  for (std::uint64_t length : lengths) {
    owners.emplace_back();
    for (std::uint64_t i = 0; i < length; ++i)
      owners.back().push_back(static_cast<std::uint32_t>(next_random() % workers));
  }
}

std::uint32_t World::add_matrix(std::uint32_t rows, std::uint32_t columns, std::uint64_t count,
                                std::uint32_t value_bytes) {
  Matrix matrix{static_cast<SpaceId>(rows), static_cast<SpaceId>(columns), {}, {}, value_bytes};
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t row = next_random() % lengths[rows];
    matrix.entries.emplace_back(row, next_random() % lengths[columns]);
    matrix.worker.push_back(static_cast<std::uint32_t>(next_random() % workers));
  }
  matrices.push_back(std::move(matrix));
  return static_cast<std::uint32_t>(matrices.size() - 1);
}

void World::mirror(std::uint32_t matrix) {
  Matrix& m = matrices[matrix];
  const auto given = m.entries;
  for (const auto& [row, column] : given) {
    if (row == column) continue;
    m.entries.emplace_back(column, row);
    m.worker.push_back(static_cast<std::uint32_t>(next_random() % workers));
  }
}

void World::keep_whole(std::uint32_t matrix, Role::Side side) {
  Matrix& m = matrices[matrix];
  for (std::size_t k = 0; k < m.entries.size(); ++k) {
    const auto [row, column] = m.entries[k];
    m.worker[k] = side == Role::Side::row ? owners[index_of(m.rows)][row] : owners[index_of(m.columns)][column];
  }
}

void World::make_dense(std::uint32_t matrix) {
  Matrix& m = matrices[matrix];
  m.entries.clear();
  m.worker.clear();
  for (std::uint64_t row = 0; row < lengths[index_of(m.rows)]; ++row) {
    for (std::uint64_t column = 0; column < lengths[index_of(m.columns)]; ++column) {
      m.entries.emplace_back(row, column);
      m.worker.push_back(owners[index_of(m.rows)][row]);
    }
  }
  m.value_bytes = 8;
  m.dense = true;
}

bool World::is_replica(std::uint32_t worker, SpaceId space, std::uint64_t element, const RoleSet& roles) const {
  if (owners[index_of(space)][element] == worker) return false;
  for (const Role& role : roles) {
    if (role == kEverywhere) return true;
    const Matrix& matrix = matrices[index_of(role.matrix)];
    for (std::size_t k = 0; k < matrix.entries.size(); ++k) {
      const auto [row, column] = matrix.entries[k];
      if (matrix.worker[k] == worker && (role.side == Role::Side::row ? row : column) == element) return true;
    }
  }
  return false;
}

RoleSet World::roles_of(SpaceId space) const {
  RoleSet roles;
  for (std::uint32_t m = 0; m < matrices.size(); ++m) {
    if (matrices[m].rows == space) insert_roles(roles, {row_role(m)});
    if (matrices[m].columns == space) insert_roles(roles, {column_role(m)});
  }
  if (std::find(everywhere.begin(), everywhere.end(), space) != everywhere.end()) insert_roles(roles, {kEverywhere});
  return roles;
}

std::vector<World::Run> World::runs(std::uint32_t matrix, Role::Side outputs, std::uint32_t worker) const {
  std::map<std::pair<std::uint64_t, std::uint64_t>, Run> found;  // by block of inputs, then output
  for (std::size_t k = 0; k < matrices[matrix].entries.size(); ++k) {
    const auto& [row, column] = matrices[matrix].entries[k];
    if (matrices[matrix].worker[k] != worker) continue;
    const bool mxv = outputs == Role::Side::column;
    found[mxv ? std::pair(row / block_edge, column) : std::pair(column / block_edge, row)].emplace_back(row, column);
  }
  std::vector<Run> all;
  for (auto& [key, run] : found) all.push_back(std::move(run));
  return all;
}

bool World::begins_run(std::uint32_t matrix, Role::Side outputs, std::uint32_t worker, std::uint64_t output) const {
  std::set<std::uint64_t> before;
  for (std::size_t k = 0; k < matrices[matrix].entries.size(); ++k) {
    const auto& [row, column] = matrices[matrix].entries[k];
    const std::uint64_t at = outputs == Role::Side::row ? row : column;
    if (matrices[matrix].worker[k] == worker && at < output) before.insert(at);
  }
  return before.size() % stencil_run == 0;
}

PlacementStats World::stats() const {
  PlacementStats stats;
  stats.workers = workers;
  for (std::size_t s = 0; s < lengths.size(); ++s) {
    const auto space = static_cast<SpaceId>(s);
    PlacementStats::Space described;
    described.name = "space";
    described.masters = lengths[s];
    described.blocks = false;
    const RoleSet all = roles_of(space);
    for (std::size_t subset = 1; subset < (std::size_t{1} << all.size()); ++subset) {
      PlacementStats::Roles entry;
      for (std::size_t k = 0; k < all.size(); ++k) {
        if ((subset >> k & 1) != 0) entry.roles.push_back(all[k]);
      }
      std::vector<WorkerPairs::Pair> pairs;
      for (std::uint32_t w = 0; w < workers; ++w) {
        for (std::uint64_t i = 0; i < lengths[s]; ++i) {
          if (!is_replica(w, space, i, entry.roles)) continue;
          ++entry.replicas;
          pairs.push_back({w, owners[s][i]});
        }
      }
      entry.pairs = WorkerPairs(workers, pairs);
      described.replicas = std::max(described.replicas, entry.replicas);
      described.roles.push_back(std::move(entry));
    }
    stats.spaces.push_back(std::move(described));
  }
  for (const Matrix& matrix : matrices) {
    PlacementStats::Matrix& described = stats.matrices.emplace_back();
    described = {matrix.rows, matrix.columns, matrix.entries.size(), matrix.value_bytes, 1};
    auto entries = matrix.entries, mirrored = entries;
    for (auto& [row, column] : mirrored) std::swap(row, column);
    std::sort(entries.begin(), entries.end());
    std::sort(mirrored.begin(), mirrored.end());
    described.dense = matrix.dense;
    described.symmetric = !matrix.dense && matrix.rows == matrix.columns && entries == mirrored;
    for (const Role::Side side : {Role::Side::row, Role::Side::column}) {
      if (stencil_run == 0 || matrix.dense) break;
      auto& stencils = described.stencils(side);
      stencils.found = true;
      const auto number = static_cast<std::uint32_t>(stats.matrices.size() - 1);
      std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> entries_of;  // by worker and output
      for (std::size_t k = 0; k < matrix.entries.size(); ++k) {
        const auto& [row, column] = matrix.entries[k];
        ++entries_of[{matrix.worker[k], side == Role::Side::row ? row : column}];
      }
      for (const auto& [at, length] : entries_of) {
        if (!begins_run(number, side, at.first, at.second)) continue;
        stencils.runs += 1;
        stencils.entries += length;
      }
    }
    for (const Role::Side side : {Role::Side::row, Role::Side::column}) {
      if (block_edge == 0 || matrix.dense) break;
      auto& blocks = described.blocks(side);
      blocks.counted = true;
      blocks.turns = matrix.entries.size() / 3;
      blocks.ahead = blocks.kPartsOf / 2;
      blocks.behind = blocks.kPartsOf / 4;
      for (std::uint32_t w = 0; w < workers; ++w) {
        for (const Run& run : runs(static_cast<std::uint32_t>(stats.matrices.size() - 1), side, w)) {
          ++blocks.runs;
          if (run.size() > 16) ++blocks.long_runs;
        }
      }
    }
  }
  return stats;
}

World small_world(std::uint32_t workers) {
  World world(workers, {40, 25});
  world.add_matrix(0, 0, 120);
  world.add_matrix(0, 1, 90);
  return world;
}

World world_of_keys(std::uint32_t workers) {
  World world = small_world(workers);
  world.everywhere = {kSpace0, kSpace1};
  return world;
}

}  // namespace kasen::optimizer::tests
