/// @file
/// Bounds of what plans cost against the plans themselves, and how few of them have to be made.
#include "optimizer/states/least_costs.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/states/drop_empty.h"
#include "optimizer/states/one_pass.h"
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

/// Of every combination of states that can be planned.
void expect_bounds(const Program& program, const PlacementStats& stats, const Options& options, FusionOptions fusion) {
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
  fusion.one_pass = matrices_in_one_pass(program, stats, options, {});
  const Lower lower = [&](StatedProgram stated) {
    drop_transitions_of_rows(stated, stats, fusion.one_pass);
    return lowered(stated, stats, fusion, nullptr);
  };
  place_transitions(program, stats, options, lower, compare);
  EXPECT_GT(compared, 0u);
}

class LeastCostsOfRandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(LeastCostsOfRandomPrograms, AreNoMoreThanWhatPlansCost) {
  constexpr std::uint32_t kWorkers[] = {2, 3, 5};
  const unsigned seed = GetParam();
  const bool keys = seed % 5 == 2;
  Program program = random_program(seed, keys).program;
  normalise_loops(program);
  World world = keys ? world_of_keys(kWorkers[seed % 3]) : small_world(kWorkers[seed % 3]);
  world.block_edge = seed % 2 == 0 ? 0 : 7;
  world.stencil_run = seed % 3 == 0 ? 4 + 20 * (seed % 4) : 0;
  if (seed % 4 == 0) world.keep_whole(0, Role::Side::column);
  if (seed % 3 == 1) world.make_dense(1);
  if (seed % 6 == 1) world.make_dense(0);
  Options options;
  options.roles = seed % 5 != 0;
  options.sync = seed % 4 == 1 ? Sync::lazy : Sync::hybrid;
  SCOPED_TRACE("seed " + std::to_string(seed));
  expect_bounds(program, world.stats(), options, {seed % 7 != 0, seed % 7 > 1});
}

/// Descent steps of which each is one pass over a dense matrix, and what lies between is not stored.
TEST(LeastCosts, AreNoMoreThanWhatOnePassCosts) {
  for (const std::uint32_t workers : {1u, 3u}) {
    World world = small_world(workers);
    world.make_dense(1);
    expect_bounds(descent(2), world.stats(), {}, {});
  }
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
