/// @file
/// From a program and a grouping to a plan.
#include "tests/optimizer/grouped.h"

#include "kasen/base/program_tools.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/rewrite/dead_values.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/rewrite/rotate_loops.h"
#include "optimizer/states/place_transitions.h"
#include "optimizer/sweeps/assign_storage.h"
#include "optimizer/sweeps/choose_walks.h"
#include "optimizer/sweeps/liveness.h"

namespace kasen::optimizer::tests {

std::optional<Plan> lowered(const StatedProgram& stated, const PlacementStats& stats, const FusionOptions& fusion,
                            const Grouping* grouping, const Profile& profile) {
  Plan plan;
  plan.values = stated.program.values;
  plan.states = stated.states;
  for (const ReducerInfo& reducer : stated.program.reducers) plan.reducers.push_back(reducer.name);
  plan.live_in = stated.program.live_in;
  plan.results = stated.results;
  if (!grow_sweeps(stated, fusion, plan, grouping)) return std::nullopt;
  find_liveness(plan);
  assign_storage(plan, stats, {});
  choose_walks(plan, stats, fusion.storage, profile);
  assign_costs(plan, stats);
  assign_times(plan, stats, profile);
  return plan;
}

GroupedPlans::GroupedPlans(const ProgramBuilder& builder, const World& world, bool drop_empty, const Options& options)
    : _stats(world.stats()) {
  Program program = builder.program;
  remove_dead_values(program);
  normalise_loops(program);
  rotate_loops(program);
  remove_dead_values(program);
  _stated = place_transitions(program, _stats, options, [&](const StatedProgram& stated) {
              return lowered(stated, _stats, {}, nullptr);
            }).stated;
  if (drop_empty) drop_empty_transitions();
}

std::optional<Plan> GroupedPlans::plan(const Grouping& grouping, const FusionOptions& fusion) const {
  return lowered(_stated, _stats, fusion, &grouping);
}

Grouping GroupedPlans::apart() const {
  Grouping grouping;
  for (std::uint32_t v = 0; v < _stated.program.values.size(); ++v) grouping.sweeps.push_back(v);
  return grouping;
}

Grouping GroupedPlans::together() const {
  Grouping grouping;
  grouping.sweeps.assign(_stated.program.values.size(), 0);
  return grouping;
}

void GroupedPlans::drop_empty_transitions() {
  Substitution operands;
  for_each_block(_stated.program.top, [&](Block& block) {
    std::erase_if(block.statements, [&](const Statement& statement) {
      if (statement.op != Op::gather && statement.op != Op::scatter) return false;
      const ValueId from = statement.in[0], to = statement.out[0];
      const ValueId holder = statement.op == Op::gather ? from : to;
      const RoleSet roles = _stated.states[index_of(holder)].roles;
      if (_stats.of(_stated.program.values[index_of(from)].space, roles).replicas != 0) return false;
      operands[to] = substituted(operands, from);
      if (statement.op == Op::gather) _stated.states[index_of(operands[to])] = State::partitioned();
      return true;
    });
  });
  substitute_reads(_stated.program.top, operands);
  for (Result& result : _stated.results) result.held = substituted(operands, result.held);
}

}  // namespace kasen::optimizer::tests
