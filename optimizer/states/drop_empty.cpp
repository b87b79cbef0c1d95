#include "optimizer/states/drop_empty.h"

#include <algorithm>

#include "kasen/base/program_tools.h"

namespace kasen::optimizer {
namespace {

/// @param may(roles) which transitions are looked at
template <class May>
void drop(StatedProgram& stated, const PlacementStats& stats, const May& may) {
  Substitution operands;
  for_each_block(stated.program.top, [&](Block& block) {
    std::vector<Statement> kept;
    for (Statement& statement : block.statements) {
      const bool gather = statement.op == Op::gather;
      if (gather || statement.op == Op::scatter) {
        const ValueId from = statement.in[0], to = statement.out[0];
        const SpaceId space = stated.program.values[index_of(from)].space;
        const RoleSet roles = stated.states[index_of(gather ? from : to)].roles;
        if (may(roles) && stats.of(space, roles).replicas == 0) {
          const ValueId operand = substituted(operands, from);
          operands[to] = operand;
          if (gather) stated.states[index_of(operand)] = State::partitioned();
          continue;
        }
      }
      kept.push_back(std::move(statement));
    }
    block.statements = std::move(kept);
  });
  if (operands.empty()) return;
  substitute_reads(stated.program.top, operands);
  for (Result& result : stated.results) result.held = substituted(operands, result.held);
}

}  // namespace

void drop_empty_transitions(StatedProgram& stated, const PlacementStats& stats) {
  drop(stated, stats, [](const RoleSet&) { return true; });
}

void drop_transitions_of_rows(StatedProgram& stated, const PlacementStats& stats, const std::vector<bool>& matrices) {
  drop(stated, stats, [&](const RoleSet& roles) {
    return !roles.empty() && std::all_of(roles.begin(), roles.end(), [&](const Role& role) {
      return role.side == Role::Side::row && index_of(role.matrix) < matrices.size() && matrices[index_of(role.matrix)];
    });
  });
}

}  // namespace kasen::optimizer
