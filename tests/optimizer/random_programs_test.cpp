/// @file
/// Random programs, planned under random options, must compute what they say: transitions, fusion, storage and costs
/// at once.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/base/program_tools.h"
#include "optimizer/optimize.h"
#include "optimizer/rewrite/common_subexpressions.h"
#include "optimizer/rewrite/dead_values.h"
#include "optimizer/rewrite/hoist.h"
#include "optimizer/rewrite/merge_branches.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/rewrite/renames.h"
#include "optimizer/rewrite/rotate_loops.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/grouped.h"
#include "tests/optimizer/program_queries.h"
#include "tests/optimizer/random_program.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

/// A third of all programs follow keys.
bool has_keys(unsigned seed) { return seed % 3 == 1; }
/// Where matrix 1 is dense, programs go there and back by it, so that greedy sweeps push.
bool has_dense(unsigned seed) { return seed / 12 % 3 == 1; }
void go_there_and_back(ProgramBuilder& b, unsigned seed) {
  const auto once = [&b, seed](ValueId v, ValueId w) {
    const ValueId beside = seed % 2 == 0 ? b.element(mix(), {w}) : w;
    const ValueId z = b.mxvt(1, v, kSpace0), y = seed % 5 == 0 ? z : b.element(mix(), {z, beside});
    if (seed % 3 == 0) b.live_out(b.reduce(kPlus, y));
    if (seed % 7 == 0) b.live_out(beside);
    return b.mxv(1, y, kSpace1, seed % 4 == 0 ? kMax : kPlus);
  };
  const ValueId v = b.live_in(kSpace1), w = b.live_in(kSpace0);
  b.live_out(once(v, w));
  b.live_out(b.repeat(2, {v}, [&](const ProgramBuilder::Values& in) {
    const ValueId z = b.mxvt(1, in[0], kSpace0);
    return ProgramBuilder::Values{b.element(mix(), {b.mxv(1, b.element(mix(), {z, w}), kSpace1), in[0]})};
  })[0]);
}
ProgramBuilder program_of(unsigned seed) {
  ProgramBuilder builder = random_program(seed, has_keys(seed));
  if (has_dense(seed)) go_there_and_back(builder, seed);
  return builder;
}
World world_for(unsigned seed, std::uint32_t workers) {
  World world = has_keys(seed) ? world_of_keys(workers) : small_world(workers);
  if (seed / 4 % 3 == 1) world.mirror(0);
  if (has_dense(seed)) world.make_dense(1);
  if (seed / 12 % 6 == 1) world.make_dense(0);
  return world;
}

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, ComputeTheSameUnderAllOptions) {
  constexpr std::uint32_t kWorkers[] = {1, 2, 3, 5};
  const unsigned seed = GetParam();
  const ProgramBuilder builder = program_of(seed);
  World world = world_for(seed, kWorkers[seed % 4]);
  world.block_edge = seed % 3 == 0 ? 0 : 7;
  world.stencil_run = seed % 3 == 2 ? 1 + seed % 9 : 0;
  const std::vector<std::string_view> passes = optional_passes();
  constexpr std::uint64_t kBudgets[] = {0, 10, 1'000};
  constexpr Overlap kOverlaps[] = {Overlap::on, Overlap::automatic, Overlap::on, Overlap::off};
  constexpr Routes kRoutes[] = {Routes::automatic, Routes::neighbours, Routes::all_to_all};
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    for (const Fusion fusion : {Fusion::greedy, Fusion::off, Fusion::exact}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", sync " + std::to_string(static_cast<int>(sync)) + ", fusion " +
                   std::to_string(static_cast<int>(fusion)));
      Options options;
      options.sync = sync;
      options.fusion = fusion;
      options.storage = seed % 3 == 1 ? Storage::blocked : seed % 6 == 2 ? Storage::stencils : Storage::automatic;
      options.search_budget = kBudgets[seed % 3];
      options.roles = seed % 5 != 0;
      options.overlap = kOverlaps[seed / 5 % 4];
      options.routes = kRoutes[seed / 7 % 3];
      if (seed % 2 == 0) {
        for (const std::size_t number : {passes.size(), std::size_t{6}})
          options.passes_off.emplace_back(passes[seed / 2 % number]);
      }
      if (fusion == Fusion::exact) std::erase(options.passes_off, "fuse");  // which is refused
      expect_right(builder, world, options);
    }
  }
}

TEST_P(RandomPrograms, ComputeTheSameAfterEveryRewrite) {
  ProgramBuilder b = program_of(GetParam());
  rewrite(b, {remove_dead_values, rename_copies, hoist_invariants, merge_equal, normalise_loops, rotate_loops,
              merge_branches, merge_equal, remove_dead_values});
  expect_normal(b.program);
  // In any order, and on programs with dead values in them.
  ProgramBuilder other = program_of(GetParam());
  rewrite(other, {merge_equal, rename_copies, normalise_loops, hoist_invariants, rename_copies, merge_branches,
                  merge_equal, rotate_loops, hoist_invariants, merge_branches});
}

TEST_P(RandomPrograms, AreNotChangedByTheSameRewriteAgain) {
  for (const Pass pass : {remove_dead_values, rename_copies, hoist_invariants, merge_equal, merge_branches}) {
    ProgramBuilder b = program_of(GetParam());
    if (pass == merge_branches) normalise_loops(b.program);
    pass(b.program);
    const std::string once = print(b.program);
    pass(b.program);
    EXPECT_EQ(print(b.program), once);
  }
}

/// Sweeps joined at random, two at a time, as long as there is a plan.
TEST_P(RandomPrograms, ComputeTheSameInRandomSweeps) {
  const unsigned seed = GetParam();
  const ProgramBuilder builder = program_of(seed);
  World world = world_for(seed, 1 + seed % 3);
  for (std::uint32_t matrix : {0u, 1u}) {
    if (seed % 4 != 0) world.keep_whole(matrix, seed % 4 == 1 ? Role::Side::column : Role::Side::row);
  }
  Options options;
  options.sync = seed % 2 == 0 ? Sync::hybrid : Sync::lazy;
  const GroupedPlans plans(builder, world, seed % 5 != 0, options);
  std::mt19937 random(seed);
  Grouping grouping = plans.apart();
  std::optional<Plan> plan = plans.plan(grouping);
  ASSERT_TRUE(plan);
  std::vector<std::pair<ValueId, ValueId>> read;  // what is made of what
  for_each_block(plans.stated().program.top, [&](const Block& block) {
    for (const Statement& statement : block.statements) {
      for (ValueId value : statement.in) read.emplace_back(statement.out.at(0), value);
    }
  });
  for (int k = 0; k < 60; ++k) {
    Grouping joined = grouping;
    auto from = random() % joined.sweeps.size(), other = random() % joined.sweeps.size();
    if (k % 3 != 0 && !read.empty()) {
      const auto& [made, of] = read[random() % read.size()];
      from = index_of(made), other = index_of(of);
    }
    const std::uint32_t to = grouping.sweeps[other];
    for (std::uint32_t& sweep : joined.sweeps) sweep = sweep == grouping.sweeps[from] ? to : sweep;
    auto next = plans.plan(joined);
    if (!next) continue;
    grouping = std::move(joined);
    plan = std::move(next);
  }
  SCOPED_TRACE("seed " + std::to_string(seed));
  expect_right(*plan, builder, world);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0u, 200u));

}  // namespace
}  // namespace kasen::optimizer::tests
