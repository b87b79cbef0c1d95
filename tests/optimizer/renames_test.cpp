/// @file
/// Pass `renames`: copies go, and whatever read them reads what they copied.
#include "optimizer/rewrite/renames.h"

#include <gtest/gtest.h>

#include "optimizer/optimize.h"
#include "optimizer/rewrite/dead_values.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/rewrite/rotate_loops.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/program_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

TEST(Renames, ChainsOfCopiesGo) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0), s = b.live_shared();
  const ValueId copy = b.element(first(), {b.element(first(), {v, w}, {s})});
  const ValueId t = b.apply(first(), {b.apply(first(), {s})});
  b.live_out(b.element(scale_by_shared(), {copy}, {t}));
  rewrite(b, {rename_copies});
  ASSERT_EQ(b.program.top.statements.size(), 1u);
  EXPECT_EQ(b.program.top.statements[0].in, Values{v});
  EXPECT_EQ(b.program.top.statements[0].shared, Values{s});
}

TEST(Renames, LiveOutsMayBeOneValue) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), x = b.element(mix(), {v});
  for (ValueId value : {x, b.element(first(), {x}), v, b.element(first(), {v})}) b.live_out(value, value == x);
  rewrite(b, {rename_copies});
  EXPECT_EQ(b.program.top.statements.size(), 1u);
  EXPECT_EQ(b.program.live_out[1].value, x);
  EXPECT_EQ(b.program.live_out[3].value, v);
}

TEST(Renames, ResultsInEveryState) {
  // The copies of live-ins and of a product are asked for under their own names, some with valid masters.
  for (const bool dies : {false, true}) {
    for (const bool partitioned : {false, true}) {
      ProgramBuilder b;
      const std::vector<State> states{State::partitioned(), State::consistent({row_role(0)}),
                                      State::pre_reduced(kPlus, {column_role(0)})};
      for (const State& state : states) {
        const ValueId v = b.live_in(kSpace0, state, dies);
        if (!dies) b.live_out(v);
        b.live_out(b.element(first(), {v}), partitioned);
        b.live_out(b.element(first(), {v}));
      }
      const ValueId product = b.mxv(0, b.live_in(kSpace0), kSpace0);
      b.live_out(product);
      b.live_out(b.element(first(), {product}), partitioned);
      for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
        Options options;
        options.sync = sync;
        const Plan plan = expect_right(b, small_world(3), options);
        EXPECT_EQ(plan.results.back().held, plan.results[plan.results.size() - 2].held);
      }
    }
  }
}

TEST(Renames, WhatALoopYieldsUnchangedIsNotCarried) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const Values out = b.repeat(3, {v, w}, [&](const Values& a) {
    return Values{b.element(add(), {a[0], a[1]}), b.element(first(), {a[1]})};
  });
  b.live_out(out[0]);
  b.live_out(out[1]);
  rewrite(b, {rename_copies});
  EXPECT_EQ(b.program.live_out[1].value, w);
  EXPECT_EQ(loop_in(b.program.top).in.size(), 2u) << "the sum and the counter";
  rewrite(b, {normalise_loops, rename_copies, rotate_loops, rename_copies, remove_dead_values});
  expect_normal(b.program);
}

TEST(Renames, GoThroughNestedLoops) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const Values out = b.repeat(2, {v, w}, [&](const Values& a) {
    const Values inner = b.repeat(2, a, [&](const Values& i) {
      return Values{b.element(mix(), {i[0], i[1]}), b.element(first(), {i[1], i[0]})};
    });
    return Values{inner[0], b.element(first(), {inner[1]})};
  });
  b.live_out(out[0]);
  b.live_out(out[1]);
  rewrite(b, {rename_copies});
  EXPECT_EQ(count(b.program.top, "first"), 0u);
  EXPECT_EQ(b.program.live_out[1].value, w);
}

TEST(Renames, ArgumentsOfOneHistoryAreOne) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const Values out = b.repeat(3, {v, v, v}, [&](const Values& a) {
    const ValueId sum = b.element(add(), a);
    return Values{sum, b.element(first(), {sum}), a[0]};
  });
  for (ValueId value : out) b.live_out(value);
  rewrite(b, {rename_copies});
  EXPECT_EQ(b.program.live_out[0].value, b.program.live_out[1].value);
  EXPECT_NE(b.program.live_out[0].value, b.program.live_out[2].value) << "one iteration behind";
  EXPECT_EQ(loop_in(b.program.top).in.size(), 3u);
}

TEST(Renames, SwapsStay) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const Values out = b.repeat(3, {v, w}, [&](const Values& a) {
    return Values{b.element(first(), {a[1]}), b.element(first(), {a[0]})};
  });
  b.live_out(out[0]);
  b.live_out(out[1]);
  rewrite(b, {rename_copies});
  EXPECT_EQ(loop_in(b.program.top).in.size(), 3u);
  expect_right(b, small_world(2));
}

TEST(Renames, WhatTheConditionChangesIsCarried) {
  ProgramBuilder b;
  const Function below{"below", [](const Numbers&, const Numbers& s) { return Number{s[0] < 3}; }, {}};
  const Function next{"next", [](const Numbers&, const Numbers& s) { return s[0] + 1; }, {}};
  const Function zero{"zero", [](const Numbers&, const Numbers&) { return Number{0}; }, {}};
  const ValueId v = b.live_in(kSpace0);
  // The body puts back what the condition stores over: the value differs after the loop.
  const Values out = b.loop(
      {v, b.apply(zero, {})},
      [&](Values& a) {
        const ValueId test = b.apply(below, {a[1]});
        a = {b.element(mix(), {a[0]}), a[1]};
        return test;
      },
      [&](const Values& a) {
        return Values{v, b.apply(next, {a[1]})};
      });
  b.live_out(out[0]);
  rewrite(b, {rename_copies});
  EXPECT_EQ(loop_in(b.program.top).in.size(), 2u);
}

TEST(Renames, TheTestStaysAnArgument) {
  ProgramBuilder b;
  const Function zero{"zero", [](const Numbers&, const Numbers&) { return Number{0}; }, {}};
  const ValueId v = b.live_in(kSpace0);
  const Values out = b.loop(
      {v, b.apply(zero, {})}, [&](Values& a) { return a[1]; },
      [&](const Values& a) {
        return Values{b.element(mix(), {a[0]}), b.apply(first(), {a[1]})};
      });
  b.live_out(out[0]);
  b.live_out(out[1]);
  rewrite(b, {normalise_loops, rename_copies});
  expect_normal(b.program);
}

TEST(Renames, BranchesThatChooseNothing) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  const Values out = b.branch(
      s,
      [&] {
        const ValueId x = b.element(mix(), {v});
        return Values{b.element(first(), {v}), x, b.element(first(), {x})};
      },
      [&] {
        return Values{v, v, b.element(first(), {v})};
      });
  for (ValueId value : out) b.live_out(value);
  rewrite(b, {rename_copies});
  EXPECT_EQ(b.program.live_out[0].value, v);
  EXPECT_EQ(b.program.live_out[1].value, b.program.live_out[2].value);
  EXPECT_EQ(b.program.top.statements[0].out.size(), 1u);
}

TEST(Renames, AreOffWithFusionAndByName) {
  ProgramBuilder b;
  b.live_out(b.element(first(), {b.live_in(kSpace0)}));
  Options off, without;
  off.fusion = Fusion::off;
  without.passes_off = {"renames"};
  EXPECT_EQ(all<Sweep>(expect_right(b, small_world(2))).size(), 0u);
  EXPECT_EQ(all<Sweep>(expect_right(b, small_world(2), off)).size(), 1u);
  EXPECT_EQ(all<Sweep>(expect_right(b, small_world(2), without)).size(), 1u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
