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

/// @param others matrices in directions in which some product does not go by stencils
void collect(const Program& program, const Block& block, std::set<ValueId>& vectors, Storages& matrices,
             Storages& others) {
  vectors.insert(block.arguments.begin(), block.arguments.end());
  for (const Statement& statement : block.statements) {
    if (is_matrix_op(statement.op)) {
      matrices.insert({statement.matrix, statement.op});
      const bool goes = may_go_by_stencils(statement, program.values) && are_numbers(statement, program.values);
      if (!goes) others.insert({statement.matrix, statement.op});
      vectors.insert(statement.in.begin(), statement.in.end());
      vectors.insert(statement.out.begin(), statement.out.end());
    }
    for (const Block& region : statement.regions) collect(program, region, vectors, matrices, others);
  }
}

}  // namespace

std::uint64_t footprint(const Program& program, const PlacementStats& stats) {
  std::set<ValueId> vectors;
  Storages storages, others;
  for (const LiveIn& live_in : program.live_in) vectors.insert(live_in.value);
  collect(program, program.top, vectors, storages, others);
  std::uint64_t bytes = 0;
  std::set<MatrixId> in_one_storage;
  for (const auto& [id, op] : storages) {
    const PlacementStats::Matrix& matrix = stats.matrices.at(index_of(id));
    if ((matrix.dense || matrix.in_batches()) && !in_one_storage.insert(id).second) continue;
    const PlacementStats::Matrix::Stencils& stencils = matrix.stencils(output_side(op));
    if (stencils.found && !others.contains({id, op})) {
      bytes += MatrixFormat::kStencilRunBytes * stencils.runs;
      bytes += (MatrixFormat::kOffsetBytes + matrix.value_bytes) * stencils.entries;
      continue;
    }
    bytes += matrix.all_nonzeros() * ((matrix.dense ? 0 : MatrixFormat::kIndexBytes) + matrix.value_bytes);
    if (matrix.dense) continue;
    const SpaceId outputs = op == Op::mxv && !matrix.in_batches() ? matrix.columns : matrix.rows;
    const std::uint64_t pointers = stats.spaces.at(index_of(outputs)).masters * std::max(matrix.batches, 1u);
    bytes += MatrixFormat::kPointerBytes * pointers;
  }
  for (const ValueId id : vectors) {
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
