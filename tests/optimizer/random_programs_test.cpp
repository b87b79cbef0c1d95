/// @file
/// Random programs, planned under random options, must compute what they say: transitions, fusion, storage and costs
/// at once.
#include <gtest/gtest.h>

#include "optimizer/common_subexpressions.h"
#include "optimizer/dead_values.h"
#include "optimizer/hoist.h"
#include "optimizer/normalise_loops.h"
#include "optimizer/print.h"
#include "optimizer/renames.h"
#include "optimizer/rotate_loops.h"
#include "tests/optimizer/program_queries.h"
#include "tests/optimizer/random_program.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

class RandomPrograms : public testing::TestWithParam<unsigned> {};

TEST_P(RandomPrograms, ComputeTheSameUnderAllOptions) {
  constexpr std::uint32_t kWorkers[] = {1, 2, 3, 5};
  const unsigned seed = GetParam();
  const ProgramBuilder builder = random_program(seed);
  const World world = small_world(kWorkers[seed % 4]);
  constexpr const char* kPasses[] = {"dead-values", "renames",  "hoist",    "common-subexpressions", "rotate",
                                     "fuse",        "join-mxv", "in-place", "reuse-buffers"};
  constexpr std::uint64_t kBudgets[] = {0, 10, 1'000};
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    for (const Fusion fusion : {Fusion::greedy, Fusion::off, Fusion::exact}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", sync " + std::to_string(static_cast<int>(sync)) + ", fusion " +
                   std::to_string(static_cast<int>(fusion)));
      Options options;
      options.sync = sync;
      options.fusion = fusion;
      options.search_budget = kBudgets[seed % 3];
      options.roles = seed % 5 != 0;
      if (seed % 3 == 0) options.passes_off = {kPasses[seed % 9], kPasses[seed % 5]};
      expect_right(builder, world, options);
    }
  }
}

TEST_P(RandomPrograms, ComputeTheSameAfterEveryRewrite) {
  ProgramBuilder b = random_program(GetParam());
  rewrite(b, {remove_dead_values, rename_copies, hoist_invariants, merge_common_subexpressions, normalise_loops,
              rotate_loops, merge_common_subexpressions, remove_dead_values});
  expect_normal(b.program);
  // In any order, and on programs with dead values in them.
  ProgramBuilder other = random_program(GetParam());
  rewrite(other, {merge_common_subexpressions, rename_copies, normalise_loops, hoist_invariants, rename_copies,
                  merge_common_subexpressions, rotate_loops, hoist_invariants});
}

TEST_P(RandomPrograms, AreNotChangedByTheSameRewriteAgain) {
  for (const Pass pass : {remove_dead_values, rename_copies, hoist_invariants, merge_common_subexpressions}) {
    ProgramBuilder b = random_program(GetParam());
    pass(b.program);
    const std::string once = print(b.program);
    pass(b.program);
    EXPECT_EQ(print(b.program), once);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPrograms, testing::Range(0u, 200u));

}  // namespace
}  // namespace kasen::optimizer::tests
