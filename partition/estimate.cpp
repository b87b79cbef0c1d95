#include "partition/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "kasen/base/error.h"
#include "partition/measure.h"

namespace kasen::partition {
namespace {

bool is_everywhere(const RoleSet& roles) { return !roles.empty() && roles.back() == kEverywhere; }

/// Expected replicas for a set of roles of one space.
double replicas_of(const RoleSet& roles, std::uint64_t masters, const std::vector<Degrees>& degrees,
                   std::uint32_t workers) {
  if (is_everywhere(roles)) return static_cast<double>(masters) * (workers - 1);
  std::map<MatrixId, std::vector<Role::Side>> sides;
  for (const Role& role : roles) sides[role.matrix].push_back(role.side);
  std::vector<double> parts;
  for (const auto& [matrix, wanted] : sides) {
    const Degrees& d = degrees.at(index_of(matrix));
    const Degrees::Histogram& histogram = wanted.size() == 2             ? d.both
                                          : wanted[0] == Role::Side::row ? d.rows
                                                                         : d.columns;
    parts.push_back(expected_replicas(histogram, workers));
  }
  if (parts.size() == 1) return parts[0];
  const double possible = static_cast<double>(masters) * (workers - 1);
  double free = 1;
  for (double part : parts) free *= possible > 0 ? 1 - part / possible : 1;
  return possible * (1 - free);
}

/// As many pairs as are expected to share a replica if replicas fall on pairs at random; neighbours first.
WorkerPairs spread_pairs(std::uint64_t replicas, std::uint32_t workers) {
  const double possible = static_cast<double>(workers) * (workers - 1.0);
  const double share = possible > 0 ? -std::expm1(-static_cast<double>(replicas) / possible) : 0;
  return WorkerPairs::nearest(workers, static_cast<std::uint64_t>(std::llround(possible * share)));
}

/// What all workers together have of the outputs of a matrix.
double outputs_of(const PlacementStats& stats, const Role& role) {
  const PlacementStats::Matrix& matrix = stats.matrices[index_of(role.matrix)];
  const SpaceId space = role.side == Role::Side::column ? matrix.columns : matrix.rows;
  return static_cast<double>(stats.spaces[index_of(space)].masters + stats.of(space, {role}).replicas);
}

}  // namespace

double expected_replicas(const Degrees::Histogram& histogram, std::uint32_t workers) {
  const double others = workers - 1.0, elsewhere = 1 - 1.0 / workers;
  double sum = 0;
  for (const Degrees::Bin& bin : histogram) {
    sum += static_cast<double>(bin.elements) * others * (1 - std::pow(elsewhere, static_cast<double>(bin.degree)));
  }
  return sum;
}

PlacementStats estimate_placement(const PlacementStats& recorded, const std::vector<Degrees>& degrees,
                                  std::uint32_t workers) {
  if (degrees.size() < recorded.matrices.size()) {
    throw InputError("matrix " + std::to_string(degrees.size()) +
                     ": its degrees were not recorded, so its replicas cannot be estimated");
  }
  PlacementStats stats = recorded;
  stats.workers = workers;
  for (auto& matrix : stats.matrices) {
    matrix.imbalance = 1;
    for (const Role::Side side : {Role::Side::column, Role::Side::row}) {
      matrix.blocks(side) = {false, 0, 0, 0, matrix.blocks(side).cached};  // turns follow
    }
  }
  for (std::size_t s = 0; s < stats.spaces.size(); ++s) {
    PlacementStats::Space& space = stats.spaces[s];
    space.imbalance = 1;
    RoleSet all;
    for (std::size_t m = 0; m < stats.matrices.size(); ++m) {
      const auto id = static_cast<MatrixId>(m);
      if (index_of(stats.matrices[m].rows) == s) insert_roles(all, {{id, Role::Side::row}});
      if (index_of(stats.matrices[m].columns) == s) insert_roles(all, {{id, Role::Side::column}});
    }
    if (is_everywhere(recorded.all_roles(static_cast<SpaceId>(s)))) insert_roles(all, {kEverywhere});
    if (all.empty()) continue;
    const bool of_matrices = all.front() != kEverywhere;
    if (of_matrices) space.blocks = workers == 1 && (space.blocks || recorded.workers > 1);  // else numbered by degree
    space.roles.clear();
    for (const RoleSet& roles : measured_sets(all)) {
      PlacementStats::Roles& entry = space.roles.emplace_back();
      entry.roles = roles;
      entry.replicas = static_cast<std::uint64_t>(std::llround(replicas_of(roles, space.masters, degrees, workers)));
      // Replicas of a space's first matrix are in order; those of later ones lie among and behind them.
      entry.contiguous = workers == 1 || roles.back().matrix == all.front().matrix;
      entry.pairs = spread_pairs(entry.replicas, workers);
    }
    space.replicas = space.roles.back().replicas;
  }
  for (std::size_t m = 0; m < stats.matrices.size(); ++m) {
    for (const Role::Side side : {Role::Side::column, Role::Side::row}) {
      const std::uint64_t turns = recorded.matrices[m].blocks(side).turns;
      if (turns == 0) continue;
      const Role outputs{static_cast<MatrixId>(m), side};
      const double grown = outputs_of(stats, outputs) / outputs_of(recorded, outputs);
      stats.matrices[m].blocks(side).turns = static_cast<std::uint64_t>(static_cast<double>(turns) * grown);
    }
  }
  return stats;
}

}  // namespace kasen::partition
