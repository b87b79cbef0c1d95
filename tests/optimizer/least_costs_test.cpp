/// @file
/// Bounds of what plans cost against the plans themselves, and how few of them have to be made.
#include "optimizer/states/least_costs.h"

#include <gtest/gtest.h>

#include <set>

#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/states/place_transitions.h"
#include "optimizer/states/state_key.h"
#include "optimizer/states/value_facts.h"
#include "tests/optimizer/descent.h"
#include "tests/optimizer/grouped.h"
#include "tests/optimizer/program_builder.h"
#include "tests/optimizer/random_program.h"
#include "tests/optimizer/world.h"

namespace kasen::optimizer::tests {
namespace {

class LeastCostsOfRandomPrograms : public testing::TestWithParam<unsigned> {};

/// Of every combination of states that can be planned.
TEST_P(LeastCostsOfRandomPrograms, AreNoMoreThanWhatPlansCost) {
  constexpr std::uint32_t kWorkers[] = {2, 3, 5};
  const unsigned seed = GetParam();
  const bool keys = seed % 5 == 2;
  Program program = random_program(seed, keys).program;
  normalise_loops(program);
  World world = keys ? world_of_keys(kWorkers[seed % 3]) : small_world(kWorkers[seed % 3]);
  world.block_edge = seed % 2 == 0 ? 0 : 7;
  if (seed % 4 == 0) world.keep_whole(0, Role::Side::column);
  const PlacementStats stats = world.stats();
  Options options;
  options.roles = seed % 5 != 0;
  options.sync = seed % 4 == 1 ? Sync::lazy : Sync::hybrid;
  const ValueFacts facts = find_facts(program, stats, options);
  StateFinder finder(program, facts, stats, options);
  LeastCosts least(program, facts, stats);
  std::size_t compared = 0;
  const AttemptObserver compare = [&](const Decisions& decisions, const Plan* plan, const PlanCost* cost) {
    if (plan == nullptr) return;
    const auto found = finder.find(decisions, options.sync != Sync::hybrid);
    ASSERT_TRUE(found);
    const PlanCost::Part& part = least.deciding(*cost);
    EXPECT_EQ(least.bytes_sent(*found), part.bytes_sent);
    EXPECT_LE(least.messages(*found), part.messages);
    EXPECT_LE(least.bytes_streamed(*found), part.stream_bytes);
    EXPECT_FALSE(least.exceed(*cost, *found));
    ++compared;
  };
  const Lower lower = [&](const StatedProgram& stated) {
    return lowered(stated, stats, {seed % 7 != 0, seed % 7 > 1}, nullptr);
  };
  SCOPED_TRACE("seed " + std::to_string(seed));
  place_transitions(program, stats, options, lower, compare);
  EXPECT_GT(compared, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LeastCostsOfRandomPrograms, testing::Range(0u, 60u));

/// Four steps of w = w - X'(Xw - y) in a loop: combinations of states that mostly send as much as each other.
TEST(LeastCosts, ShowThatFewOfManyCombinationsNeedPlans) {
  const Program program = descent(4);
  const PlacementStats stats = small_world(3).stats();
  std::size_t plans = 0;
  const Lower lower = [&](const StatedProgram& stated) {
    ++plans;
    return lowered(stated, stats, {}, nullptr);
  };
  std::size_t possible = 0;
  place_transitions(program, stats, {}, lower,
                    [&](const Decisions&, const Plan* plan, const PlanCost*) { possible += plan != nullptr ? 1 : 0; });
  plans = 0;
  place_transitions(program, stats, {}, lower);
  EXPECT_GT(plans, 0u);
  EXPECT_LE(3 * plans, possible);
}

}  // namespace
}  // namespace kasen::optimizer::tests
