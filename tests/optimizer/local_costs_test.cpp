/// @file
/// Costs of changes of states by windows, and how much is planned to place transitions in long programs.
#include "optimizer/states/local_costs.h"

#include <gtest/gtest.h>

#include "kasen/base/program_tools.h"
#include "optimizer/states/insert_transitions.h"
#include "optimizer/states/place_transitions.h"
#include "optimizer/states/value_facts.h"
#include "tests/optimizer/descent.h"
#include "tests/optimizer/grouped.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {
namespace {

Decisions on_masters(const Program& program) {
  Decisions decisions;
  decisions.choice.resize(program.values.size());
  decisions.kind.resize(program.values.size());
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      if (statement.op == Op::element) decisions.choice[index_of(statement.out[0])] = optimizer::on_masters(statement);
    }
  });
  return decisions;
}

TEST(LocalCosts, SayWhatWholePlansSay) {
  const Program program = descent(12);
  const PlacementStats stats = small_world(3).stats();
  const Options options;
  const ValueFacts facts = find_facts(program, stats, options);
  StateFinder finder(program, facts, stats, options);
  const Lower lower = [&](const StatedProgram& stated) { return lowered(stated, stats, {}, nullptr); };
  const auto whole = [&](const FoundStates& found) { return lower(insert_transitions(program, found)); };
  const Decisions start = on_masters(program);
  const FoundStates current = finder.find(start, false).value();
  const Plan plan = whole(current).value();
  LocalCosts local(program, lower, plan);
  std::size_t changes = 0, told = 0;
  bool any_dearer = false;
  for_each_block(program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      if (statement.op != Op::element) continue;
      for (const RuleChoice& choice : choices(statement)) {
        Decisions decisions = start;
        decisions.choice[index_of(statement.out[0])] = choice;
        const auto changed = finder.find(decisions, false);
        if (!changed) continue;
        ++changes;
        const auto cheaper = local.cheaper(*changed, current), dearer = local.cheaper(current, *changed);
        const auto other = whole(*changed);
        if (!cheaper || !dearer || !other) continue;
        ++told;
        any_dearer |= *dearer;
        EXPECT_EQ(*cheaper, cost_of(*other) < cost_of(plan)) << statement.label << " by rule " << choice.rule;
        EXPECT_EQ(*dearer, cost_of(plan) < cost_of(*other)) << statement.label << " by rule " << choice.rule;
      }
    }
  });
  EXPECT_GT(changes, 40u);
  EXPECT_GT(told, changes / 2);
  EXPECT_TRUE(any_dearer);
}

/// The statements of all plans that are made to place the transitions of a program.
std::size_t statements_planned(std::size_t steps) {
  const Program program = descent(steps);
  const PlacementStats stats = small_world(3).stats();
  std::size_t statements = 0;
  place_transitions(program, stats, {}, [&](const StatedProgram& stated) {
    for_each_block(stated.program.top, [&](const Block& block) { statements += block.statements.size(); });
    return lowered(stated, stats, {}, nullptr);
  });
  return statements;
}

TEST(LocalCosts, PlanningGrowsInProportionToTheProgram) {
  const std::size_t shorter = statements_planned(16);
  EXPECT_LT(statements_planned(32), 5 * shorter / 2);
}

}  // namespace
}  // namespace kasen::optimizer::tests
