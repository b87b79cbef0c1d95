#include "optimizer/cost/footprint.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "kasen/base/matrix_format.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/plan/step_tools.h"

namespace kasen::optimizer {
namespace {

/// A matrix that is walked in both directions is stored twice, unless it is dense or in batches.
using Storages = std::set<std::pair<MatrixId, Op>>;

/// What a program's products read and write.
struct Reached {
  std::set<ValueId> vectors;
  Storages by_stencils;  ///< as far as there are any
  Storages otherwise;
};

void collect(const Program& program, const Block& block, Reached& reached) {
  reached.vectors.insert(block.arguments.begin(), block.arguments.end());
  for (const Statement& statement : block.statements) {
    if (is_matrix_op(statement.op)) {
      const bool by_stencils = may_go_by_stencils(statement, program.values) &&
                               are_numbers(statement, program.values) && !is_of_active(statement);
      (by_stencils ? reached.by_stencils : reached.otherwise).insert({statement.matrix, statement.op});
      reached.vectors.insert(statement.in.begin(), statement.in.end());
      reached.vectors.insert(statement.out.begin(), statement.out.end());
    }
    for (const Block& region : statement.regions) collect(program, region, reached);
  }
}

std::uint64_t bytes_of(const PlacementStats::Matrix::Stencils& stencils, std::uint64_t value_bytes) {
  return MatrixFormat::kStencilRunBytes * stencils.runs + (MatrixFormat::kOffsetBytes + value_bytes) * stencils.entries;
}

}  // namespace

std::uint64_t footprint(const Program& program, const PlacementStats& stats) {
  Reached reached;
  for (const LiveIn& live_in : program.live_in) reached.vectors.insert(live_in.value);
  collect(program, program.top, reached);
  std::uint64_t bytes = 0;
  Storages storages = std::move(reached.otherwise);
  for (const auto& [id, op] : reached.by_stencils) {
    const PlacementStats::Matrix& matrix = stats.matrices.at(index_of(id));
    const PlacementStats::Matrix::Stencils& stencils = matrix.stencils(output_side(op));
    if (stencils.found) {
      bytes += bytes_of(stencils, matrix.value_bytes);
    } else {
      storages.insert({id, op});
    }
  }
  std::set<MatrixId> in_one_storage;
  for (const auto& [id, op] : storages) {
    const PlacementStats::Matrix& matrix = stats.matrices.at(index_of(id));
    if ((matrix.dense || matrix.in_batches()) && !in_one_storage.insert(id).second) continue;
    bytes += matrix.all_nonzeros() * ((matrix.dense ? 0 : MatrixFormat::kIndexBytes) + matrix.value_bytes);
    if (matrix.dense) continue;
    const SpaceId outputs = op == Op::mxv && !matrix.in_batches() ? matrix.columns : matrix.rows;
    const std::uint64_t pointers = stats.spaces.at(index_of(outputs)).masters * std::max(matrix.batches, 1u);
    bytes += MatrixFormat::kPointerBytes * pointers;
  }
  for (const ValueId id : reached.vectors) {
    const Value& value = program.values[index_of(id)];
    if (value.space == kNone<SpaceId>) continue;
    const PlacementStats::Space& space = stats.spaces.at(index_of(value.space));
    bytes += (space.masters + space.replicas) * value.type.bytes;
  }
  return bytes / stats.workers;
}

Profile at_footprint(const Profile& profile, std::uint64_t bytes) {
  Profile here = profile;
  std::uint64_t costs[Profile::kSizes];
  std::transform(std::begin(profile.read_bytes_per_second), std::end(profile.read_bytes_per_second), costs,
                 ticks_per_byte);
  std::fill(std::begin(here.read_bytes_per_second), std::end(here.read_bytes_per_second),
            bytes_per_second(at_working_set(bytes, costs)));
  std::fill(std::begin(here.unhidden_per_mille), std::end(here.unhidden_per_mille),
            at_working_set(bytes, profile.unhidden_per_mille));
  return here;
}

}  // namespace kasen::optimizer
