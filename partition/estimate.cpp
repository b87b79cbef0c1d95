#include "partition/estimate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "kasen/base/error.h"
#include "partition/blocked_matrix.h"
#include "partition/imbalance.h"
#include "partition/measure.h"

namespace kasen::partition {
namespace {

bool is_everywhere(const RoleSet& roles) { return !roles.empty() && roles.back() == kEverywhere; }

double height_of(const PlacementStats::Matrix& matrix, std::uint64_t columns) {
  return static_cast<double>(matrix.nonzeros) / static_cast<double>(std::max<std::uint64_t>(columns, 1));
}

/// Replicas of the columns of a dense matrix that is cut by rows: each is with every worker that has rows.
double dense_replicas(const PlacementStats::Matrix& matrix, std::uint64_t columns, std::uint32_t workers,
                      double denser) {
  const double height = height_of(matrix, columns) * denser;
  return static_cast<double>(columns) * std::min<double>(workers, height) * (1 - 1.0 / workers);
}

/// Pairs of workers that share such a replica: each owner of columns, and each of the others that has rows.
std::uint64_t dense_pairs(const PlacementStats::Matrix& matrix, std::uint64_t columns, std::uint32_t workers,
                          std::uint64_t replicas) {
  const std::uint64_t owners = std::min<std::uint64_t>(columns, workers);
  const double others = std::min(workers - 1.0, height_of(matrix, columns));
  return std::min(replicas, owners * static_cast<std::uint64_t>(others));
}

/// Of so many elements in blocks: the most on a worker over the mean.
double imbalance_of_blocks(std::uint64_t elements, std::uint32_t workers) {
  return imbalance_of((elements + workers - 1) / workers, workers, elements);
}

/// Expected replicas for a set of roles of one space.
/// @param denser by MatrixId: by how much degrees of its rows and columns are larger; empty: as they are
double replicas_of(const PlacementStats& recorded, const RoleSet& roles, std::uint64_t masters,
                   const std::vector<Degrees>& degrees, std::uint32_t workers, const std::vector<double>& denser = {}) {
  if (is_everywhere(roles)) return static_cast<double>(masters) * (workers - 1);
  std::map<MatrixId, std::vector<Role::Side>> sides;
  for (const Role& role : roles) sides[role.matrix].push_back(role.side);
  std::vector<double> parts;
  for (const auto& [matrix, wanted] : sides) {
    const double more = denser.empty() ? 1 : denser[index_of(matrix)];
    if (is_cut_by_rows(recorded, matrix)) {
      const bool columns = wanted.size() == 2 || wanted[0] == Role::Side::column;
      const PlacementStats::Matrix& of = recorded.matrices[index_of(matrix)];
      parts.push_back(!columns   ? 0
                      : of.dense ? dense_replicas(of, masters, workers, more)
                                 : expected_replicas(degrees.at(index_of(matrix)).columns, workers, more));
      continue;
    }
    const Degrees& d = degrees.at(index_of(matrix));
    const Degrees::Histogram& histogram = wanted.size() == 2             ? d.both
                                          : wanted[0] == Role::Side::row ? d.rows
                                                                         : d.columns;
    parts.push_back(expected_replicas(histogram, workers, more));
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

/// What all workers together have of the outputs of a matrix: masters, and replicas.
double outputs_of(const PlacementStats& stats, const Role& role) {
  const PlacementStats::Matrix& matrix = stats.matrices[index_of(role.matrix)];
  const SpaceId space = role.side == Role::Side::column ? matrix.columns : matrix.rows;
  return static_cast<double>(stats.spaces[index_of(space)].masters + stats.of(space, {role}).replicas);
}

constexpr std::uint64_t kMostReplicas = std::uint64_t{1} << 62;

double ratio(std::uint64_t now, std::uint64_t before) {
  return static_cast<double>(now) / static_cast<double>(std::max<std::uint64_t>(before, 1));
}

/// A number that grows by a factor, and is at most `most`.
std::uint64_t times(std::uint64_t number, double factor, std::uint64_t most) {
  const double product = std::min(static_cast<double>(number) * factor, static_cast<double>(kMostReplicas));
  return std::min(most, static_cast<std::uint64_t>(std::llround(product)));
}

/// As many pairs more, or fewer, as there would be if replicas fell on pairs at random.
void scale_pairs(PlacementStats::Roles& entry, std::uint64_t replicas, std::uint32_t workers) {
  const std::uint64_t before = spread_pairs(entry.replicas, workers).count();
  const std::uint64_t now = spread_pairs(replicas, workers).count();
  const std::uint64_t most = std::min(replicas, std::uint64_t{workers} * (workers - 1));
  const std::uint64_t count = times(entry.pairs.count(), before > 0 ? ratio(now, before) : 0, most);
  if (count != entry.pairs.count()) entry.pairs = WorkerPairs::nearest(workers, count);
}

}  // namespace

bool is_cut_by_rows(const PlacementStats& recorded, MatrixId matrix) {
  const PlacementStats::Matrix& m = recorded.matrices[index_of(matrix)];
  return (m.dense || m.in_batches()) &&
         (recorded.workers == 1 || recorded.of(m.rows, {{matrix, Role::Side::row}}).replicas == 0);
}

double expected_replicas(const Degrees::Histogram& histogram, std::uint32_t workers, double denser) {
  const double others = workers - 1.0, elsewhere = 1 - 1.0 / workers;
  double sum = 0;
  for (const Degrees::Bin& bin : histogram) {
    sum += static_cast<double>(bin.elements) * others *
           (1 - std::pow(elsewhere, denser * static_cast<double>(bin.degree)));
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
  for (std::size_t m = 0; m < stats.matrices.size(); ++m) {
    PlacementStats::Matrix& matrix = stats.matrices[m];
    const std::uint64_t rows = stats.spaces[index_of(matrix.rows)].masters;
    matrix.imbalance = is_cut_by_rows(recorded, static_cast<MatrixId>(m)) ? imbalance_of_blocks(rows, workers) : 1;
    for (const Role::Side side : {Role::Side::column, Role::Side::row}) {
      matrix.blocks(side) = {false, 0, 0, 0, matrix.blocks(side).cached};  // turns follow
      matrix.stencils(side) = {};
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
    if (all.empty()) {
      space.imbalance = imbalance_of_blocks(space.masters, workers);
      continue;
    }
    const bool of_sparse = std::any_of(all.begin(), all.end(), [&](const Role& role) {
      return role != kEverywhere && !is_cut_by_rows(recorded, role.matrix);
    });
    if (!of_sparse && space.blocks) space.imbalance = imbalance_of_blocks(space.masters, workers);
    if (of_sparse) space.blocks = workers == 1 && (space.blocks || recorded.workers > 1);  // else numbered by degree
    space.roles.clear();
    for (const RoleSet& roles : measured_sets(all)) {
      PlacementStats::Roles& entry = space.roles.emplace_back();
      entry.roles = roles;
      entry.replicas =
          static_cast<std::uint64_t>(std::llround(replicas_of(recorded, roles, space.masters, degrees, workers)));
      // Replicas of a space's first matrix are in order; those of later ones lie among and behind them.
      entry.contiguous = workers == 1 || roles.back().matrix == all.front().matrix;
      entry.pairs = spread_pairs(entry.replicas, workers);
      if (!of_sparse && roles.front() != kEverywhere) {
        const PlacementStats::Matrix& matrix = stats.matrices[index_of(roles.front().matrix)];
        entry.pairs = WorkerPairs::nearest(workers, dense_pairs(matrix, space.masters, workers, entry.replicas));
      }
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

void estimate_blocks(const PlacementStats& recorded, MatrixId matrix, PlacementStats& stats) {
  for (const Role::Side side : {Role::Side::column, Role::Side::row}) {
    const PlacementStats::Matrix& known = recorded.matrices[index_of(matrix)];
    if (!known.blocks(side).counted) continue;
    const Role outputs{matrix, side};
    const double grown = outputs_of(stats, outputs) / outputs_of(recorded, outputs);
    PlacementStats::Matrix::Blocks& blocks = stats.matrices[index_of(matrix)].blocks(side);
    const std::uint64_t turns = blocks.turns;
    blocks = known.blocks(side);
    blocks.turns = turns;
    blocks.runs = times(blocks.runs, grown, known.nonzeros);
    blocks.long_runs = times(blocks.long_runs, grown, known.nonzeros / (BlockedMatrix::kLongestGroup + 1));
    stats.matrices[index_of(matrix)].stencils(side) = known.stencils(side);
  }
}

PlacementStats scale_placement(const PlacementStats& recorded, const std::vector<Degrees>& degrees,
                               const std::vector<std::uint64_t>& masters, const std::vector<std::uint64_t>& nonzeros) {
  PlacementStats stats = recorded;
  for (std::size_t s = 0; s < stats.spaces.size(); ++s) {
    PlacementStats::Space& space = stats.spaces[s];
    const double grown = ratio(masters[s], space.masters);
    std::vector<double> denser;
    for (std::size_t m = 0; m < stats.matrices.size(); ++m)
      denser.push_back(grown > 0 ? ratio(nonzeros[m], recorded.matrices[m].nonzeros) / grown : 1);
    const std::uint64_t most = times(masters[s], stats.workers - 1.0, kMostReplicas);
    for (PlacementStats::Roles& entry : space.roles) {
      if (is_everywhere(entry.roles)) {
        entry.replicas = most;
        continue;
      }
      double factor = grown;
      const bool known = std::all_of(entry.roles.begin(), entry.roles.end(),
                                     [&](const Role& role) { return index_of(role.matrix) < degrees.size(); });
      const double before = known ? replicas_of(recorded, entry.roles, space.masters, degrees, stats.workers) : 0;
      if (before > 0)
        factor *= replicas_of(recorded, entry.roles, space.masters, degrees, stats.workers, denser) / before;
      const std::uint64_t replicas = times(entry.replicas, factor, most);
      scale_pairs(entry, replicas, stats.workers);
      entry.replicas = replicas;
    }
    space.masters = masters[s];
    space.replicas = space.roles.empty() ? 0 : space.roles.back().replicas;
  }
  for (std::size_t m = 0; m < stats.matrices.size(); ++m) {
    PlacementStats::Matrix& matrix = stats.matrices[m];
    const double grown = ratio(nonzeros[m], matrix.nonzeros);
    matrix.nonzeros = nonzeros[m];
    for (const Role::Side side : {Role::Side::column, Role::Side::row}) {
      PlacementStats::Matrix::Blocks& blocks = matrix.blocks(side);
      blocks.runs = times(blocks.runs, grown, nonzeros[m]);
      blocks.long_runs = times(blocks.long_runs, grown, blocks.runs);
      PlacementStats::Matrix::Stencils& stencils = matrix.stencils(side);
      stencils.entries = times(stencils.entries, grown, nonzeros[m]);
      stencils.runs = times(stencils.runs, grown, stencils.entries);
      if (blocks.turns == 0) continue;
      const Role outputs{static_cast<MatrixId>(m), side};
      const double now = outputs_of(stats, outputs), before = outputs_of(recorded, outputs);
      if (before > 0) blocks.turns = times(blocks.turns, now / before, static_cast<std::uint64_t>(now));
    }
  }
  return stats;
}

}  // namespace kasen::partition
