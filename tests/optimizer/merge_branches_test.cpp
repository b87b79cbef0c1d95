/// @file
/// Pass `merge-branches`: which branches become one, and what that saves.
#include "optimizer/rewrite/merge_branches.h"

#include <gtest/gtest.h>

#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/common_subexpressions.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/program_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

/// v unless the test holds, else f of it.
ValueId changed_if(ProgramBuilder& b, ValueId test, ValueId v, const Function& f) {
  return b.branch(
      test, [&] { return Values{b.element(f, {v})}; }, [&] { return Values{v}; })[0];
}
std::size_t branches_in(const Block& block) {
  std::size_t found = 0;
  for_each_block(block, [&](const Block& each) {
    for (const Statement& statement : each.statements) found += statement.op == Op::if_ ? 1 : 0;
  });
  return found;
}

TEST(MergeBranches, SidesShareASweep) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), test = b.live_shared();
  b.live_out(changed_if(b, test, v, scale(3)));
  b.live_out(changed_if(b, test, v, shift(5)));
  Options apart;
  apart.passes_off = {"merge-branches"};
  EXPECT_EQ(all<Sweep>(all<Branch>(expect_right(b, small_world(3), apart)).at(0)->then).size(), 1u);
  EXPECT_EQ(all<Branch>(expect_right(b, small_world(3), apart)).size(), 2u);
  const Plan plan = expect_right(b, small_world(3));
  ASSERT_EQ(all<Branch>(plan).size(), 1u);
  const std::vector<const Sweep*> sweeps = all<Sweep>(all<Branch>(plan)[0]->then);
  ASSERT_EQ(sweeps.size(), 1u);
  EXPECT_EQ(sweeps[0]->launches.size(), 2u);
  rewrite(b, {merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 1u);
}

TEST(MergeBranches, TheLaterOneMayReadTheEarlierOnesResults) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), test = b.live_shared();
  b.live_out(changed_if(b, test, changed_if(b, test, changed_if(b, test, v, scale(3)), shift(5)), mix()));
  rewrite(b, {merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 1u);
  EXPECT_EQ(b.program.top.statements.back().regions[0].statements.size(), 3u);
}

TEST(MergeBranches, WhatStandsBetweenComesBeforeOrAfter) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), test = b.live_shared();
  const ValueId first = changed_if(b, test, v, scale(3));
  const ValueId after = b.element(mix(), {first}), before = b.element(shift(5), {v});
  b.live_out(b.element(add(), {changed_if(b, test, before, mix()), after}));
  rewrite(b, {merge_branches});
  ASSERT_EQ(branches_in(b.program.top), 1u);
  ASSERT_EQ(b.program.top.statements.size(), 4u);
  EXPECT_EQ(b.program.top.statements[0].label, "shift");
  EXPECT_EQ(b.program.top.statements[2].label, "mix");
}

TEST(MergeBranches, NotIfEffectsWouldChangePlaces) {
  for (const bool both : {true, false}) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0), test = b.live_shared();
    const ValueId first = changed_if(b, test, v, scale(3));
    const ValueId after = b.reduce(kPlus, b.element(mix(), {first})), before = b.reduce(kPlus, v);
    b.apply(mix(), {after});
    b.program.top.statements.back().effect = true;
    b.apply(mix(), {before});
    b.program.top.statements.back().effect = both;
    b.live_out(b.element(add(), {changed_if(b, test, v, mix()), first}));
    rewrite(b, {merge_branches});
    EXPECT_EQ(branches_in(b.program.top), both ? 2u : 1u) << print(b.program);
  }
}

TEST(MergeBranches, NotIfTheLaterOneReadsWhatIsMadeOfTheEarlierOnes) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), test = b.live_shared();
  const ValueId made = b.element(mix(), {b.element(shift(5), {changed_if(b, test, v, scale(3))})});
  b.live_out(changed_if(b, test, made, scale(7)));
  rewrite(b, {merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 2u);
}

TEST(MergeBranches, OfOtherTestsAndInOtherBlocksStayApart) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), one = b.live_shared(), other = b.live_shared();
  const ValueId w = changed_if(b, other, changed_if(b, one, v, scale(3)), shift(5));
  b.live_out(b.repeat(2, {w}, [&](const Values& a) { return Values{changed_if(b, one, a[0], mix())}; })[0]);
  rewrite(b, {merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 3u);
}

TEST(MergeBranches, InLoopsAndInJoinedSides) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), outer = b.live_shared(), inner = b.live_shared();
  const auto nested = [&](ValueId w, const Function& f) {
    return b.branch(
        outer, [&] { return Values{changed_if(b, inner, w, f)}; }, [&] { return Values{w}; })[0];
  };
  b.live_out(b.repeat(2, {v}, [&](const Values& a) { return Values{nested(nested(a[0], scale(3)), mix())}; })[0]);
  rewrite(b, {merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 2u) << print(b.program);
}

TEST(MergeBranches, WithTestsThatAreEqual) {
  ProgramBuilder b;
  b.knows_functions = true;
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  const ValueId w = changed_if(b, b.apply(mix(), {s}), v, scale(3));
  b.live_out(changed_if(b, b.apply(mix(), {s}), w, shift(5)));
  rewrite(b, {merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 2u);
  rewrite(b, {merge_equal, merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 1u);
}

TEST(MergeBranches, NotWhatIsRunForItsEffect) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), test = b.live_shared();
  b.live_out(changed_if(b, test, changed_if(b, test, v, scale(3)), shift(5)));
  b.program.top.statements[1].regions[0].statements[0].effect = true;
  rewrite(b, {merge_branches});
  EXPECT_EQ(branches_in(b.program.top), 2u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
