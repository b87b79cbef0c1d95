/// @file
/// Pass `common-subexpressions`: what is equal is computed once, where reading it costs no more.
#include "optimizer/rewrite/common_subexpressions.h"

#include <gtest/gtest.h>

#include "optimizer/rewrite/hoist.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/rewrite/rotate_loops.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/program_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

ProgramBuilder knowing() {
  ProgramBuilder b;
  b.knows_functions = true;
  return b;
}
void merge(ProgramBuilder& b) { rewrite(b, {merge_equal}); }

TEST(CommonSubexpressions, EqualChainsAreComputedOnce) {
  ProgramBuilder b = knowing();
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  for (int k = 0; k < 2; ++k) {
    const ValueId x = b.element(scale_by_shared(), {b.element(mix(), {v, b.source(kSpace0, true)})}, {s});
    const ValueId sum = b.reduce(kPlus, b.mxv(0, x, kSpace0));
    b.live_out(b.apply(mix(), {sum, s}));
  }
  const std::size_t before = b.program.top.statements.size();
  merge(b);
  EXPECT_EQ(2 * b.program.top.statements.size(), before);
  EXPECT_EQ(b.program.live_out[0].value, b.program.live_out[1].value);
}

TEST(CommonSubexpressions, WhatDiffersInAnythingStays) {
  ProgramBuilder b = knowing();
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0), s = b.live_shared(), t = b.live_shared();
  b.live_out(b.element(scale(3), {v}));
  b.live_out(b.element(scale(4), {v}));         // another plain value
  b.live_out(b.element(scale(3), {w}));         // another vector
  b.live_out(b.element(shift(3), {v}));         // another function
  b.live_out(b.element(scale(3), {v}, {}, 4));  // another type
  b.live_out(b.element(mix(), {v, w}));
  b.live_out(b.element(mix(), {w, v}));  // another order
  b.live_out(b.element(scale_by_shared(), {v}, {s}));
  b.live_out(b.element(scale_by_shared(), {v}, {t}));  // another Shared
  b.live_out(b.mxv(0, v, kSpace0));
  b.live_out(b.mxvt(0, v, kSpace0));       // another direction
  b.live_out(b.mxv(0, v, kSpace0, kMax));  // another reducer
  b.live_out(b.mxv(1, v, kSpace1));        // another matrix
  b.live_out(b.reduce(kPlus, v));
  b.live_out(b.reduce(kMax, v));
  b.live_out(b.source(kSpace0));
  b.live_out(b.source(kSpace1));        // another space
  b.live_out(b.source(kSpace0, true));  // another source
  const std::size_t before = b.program.top.statements.size();
  merge(b);
  EXPECT_EQ(b.program.top.statements.size(), before);
}

std::size_t products(const Plan& plan) {
  std::size_t found = 0;
  for (const Sweep* sweep : all<Sweep>(plan)) {
    for (const Launch& launch : sweep->launches) found += is_matrix_op(launch.op) ? launch.out.size() : 0;
  }
  return found;
}

TEST(CommonSubexpressions, OfBothDirectionsOfASymmetricMatrix) {
  ProgramBuilder b = knowing();
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const Values out = b.repeat(2, {v}, [&](const Values& a) {
    const ValueId back = b.mxvt(0, a[0], kSpace0), there = b.mxv(0, a[0], kSpace0);
    return Values{b.element(mix(), {there, back, b.mxvt(0, a[0], kSpace0, kMax)})};
  });
  b.live_out(out[0]);
  b.live_out(b.of_ends(Op::mxv, 0, mix(), {v, w}, {w}, kSpace0));
  b.live_out(b.of_ends(Op::mxvt, 0, mix(), {v, w}, {w}, kSpace0));
  for (const std::uint32_t workers : {1u, 3u}) {
    World world = small_world(workers);
    EXPECT_EQ(products(expect_right(b, world)), 5u);
    world.mirror(0);
    EXPECT_EQ(products(expect_right(b, world)), 3u);
    Options options;
    options.passes_off = {"common-subexpressions"};
    EXPECT_EQ(products(expect_right(b, world, options)), 5u);
  }
}

TEST(CommonSubexpressions, OfOtherEndsStay) {
  ProgramBuilder b = knowing();
  const ValueId u = b.live_in(kSpace0), v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  for (const Op op : {Op::mxv, Op::mxvt}) {
    b.live_out(b.of_ends(op, 0, mix(), {u, v}, {w}, kSpace0));
    b.live_out(b.of_ends(op, 0, mix(), {u}, {v, w}, kSpace0));
  }
  World world = small_world(2);
  EXPECT_EQ(products(expect_right(b, world)), 4u);
  world.mirror(0);
  EXPECT_EQ(products(expect_right(b, world)), 2u);
}

TEST(CommonSubexpressions, FoldsAreEqualByStepAndReducer) {
  ProgramBuilder b;
  b.knows_functions = true;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  for (int k = 0; k < 2; ++k) {
    b.live_out(b.fold(kPlus, mix(), {v, w}));
    b.live_out(b.fold(kMax, mix(), {v, w}));
    b.live_out(b.fold(kPlus, scale(3), {v, w}));
    b.live_out(b.fold(kPlus, mix(), {v}));
  }
  merge(b);
  EXPECT_EQ(count(b.program.top, "fold"), 4u);
}

TEST(CommonSubexpressions, OfUnknownFunctionsStay) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  for (int k = 0; k < 2; ++k) b.live_out(b.reduce(kPlus, b.element(mix(), {v})));
  for (int k = 0; k < 2; ++k) b.live_out(b.reduce(kPlus, v));
  merge(b);
  EXPECT_EQ(count(b.program.top, "mix"), 2u);
  EXPECT_EQ(count(b.program.top, "reduce"), 3u) << "a reduction is known by its reducer";
}

TEST(CommonSubexpressions, OfEnclosingBlocks) {
  ProgramBuilder b = knowing();
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  const auto work = [&] { return b.mxv(0, b.element(mix(), {v}), kSpace0); };
  b.live_out(work());
  const Values out = b.repeat(2, {v}, [&](const Values& a) {
    const Values side = b.branch(
        s,
        [&] {
          return Values{b.element(add(), {a[0], work()})};
        },
        [&] {
          return Values{b.element(minus(), {a[0], work()})};
        });
    return Values{side[0]};
  });
  b.live_out(out[0]);
  merge(b);
  EXPECT_EQ(count(b.program.top, "mxv"), 1u);
}

TEST(CommonSubexpressions, OfTheOtherSideOrABlockThatEndedStay) {
  ProgramBuilder b = knowing();
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  const auto side = [&] { return Values{b.mxv(0, v, kSpace0)}; };
  b.live_out(b.branch(s, side, side)[0]);
  b.live_out(b.mxv(0, v, kSpace0));
  merge(b);
  EXPECT_EQ(count(b.program.top, "mxv"), 3u);
}

TEST(CommonSubexpressions, ElementWorkOfEnclosingBlocksIfReadingItIsNoDearer) {
  // Alone with its operand: one vector is read either way. With another reader of the operand: one more.
  for (const bool shared_operand : {false, true}) {
    ProgramBuilder b = knowing();
    const ValueId v = b.live_in(kSpace0);
    b.live_out(b.element(mix(), {v}));
    const Values out = b.repeat(2, {b.live_in(kSpace0)}, [&](const Values& a) {
      const ValueId x = b.element(mix(), {v});
      return Values{b.element(add(), {a[0], x, shared_operand ? v : a[0]})};
    });
    b.live_out(out[0]);
    merge(b);
    EXPECT_EQ(count(b.program.top, "mix"), shared_operand ? 2u : 1u);
  }
}

TEST(CommonSubexpressions, AreFoundThroughWhatIsMadeAgain) {
  // The element work stays in the block, as its source is free; the reduction over it is the one before the loop.
  ProgramBuilder b = knowing();
  const auto work = [&] { return b.element(mix(), {b.source(kSpace0, true)}); };
  b.live_out(b.reduce(kPlus, work()));
  const Values out = b.repeat(2, {b.live_in(kSpace0)}, [&](const Values& a) {
    const ValueId x = work();
    return Values{b.element(scale_by_shared(), {b.element(add(), {a[0], x})}, {b.reduce(kPlus, x)})};
  });
  b.live_out(out[0]);
  merge(b);
  EXPECT_EQ(count(b.program.top, "reduce"), 1u);
  EXPECT_EQ(count(b.program.top, "mix"), 2u);
  EXPECT_EQ(count(b.program.top, "iota"), 2u);
}

TEST(CommonSubexpressions, ASourceThatIsStoredServesNobodyElse) {
  ProgramBuilder b = knowing();
  const ValueId v = b.live_in(kSpace0);
  b.live_out(b.mxv(0, b.source(kSpace0), kSpace0));
  b.live_out(b.mxvt(0, b.source(kSpace0), kSpace0));
  b.live_out(b.element(mix(), {v, b.source(kSpace0)}));
  b.live_out(b.element(add(), {v, b.source(kSpace0)}));
  merge(b);
  EXPECT_EQ(count(b.program.top, "constant"), 2u);
}

TEST(CommonSubexpressions, BetweenConditionAndBody) {
  ProgramBuilder b = knowing();
  const Function small{"small", [](const Numbers&, const Numbers& s) { return Number{s[0] % 8 != 0}; }, {}};
  const Values out = b.loop(
      {b.live_in(kSpace0)}, [&](Values& a) { return b.apply(small, {b.reduce(kPlus, a[0])}); },
      [&](const Values& a) { return Values{b.element(scale_by_shared(), {a[0]}, {b.reduce(kPlus, a[0])})}; });
  b.live_out(out[0]);
  merge(b);
  EXPECT_EQ(count(b.program.top, "reduce"), 1u);
  rewrite(b, {normalise_loops, rotate_loops});
}

TEST(CommonSubexpressions, ThatRotationMakes) {
  // The body computes what the head of the next iteration needs.
  ProgramBuilder b = knowing();
  const Values out = b.repeat(3, {b.live_in(kSpace0), b.live_in(kSpace0)}, [&](const Values& a) {
    const ValueId x = b.mxv(0, b.element(mix(), {a[0]}), kSpace0);
    return Values{x, b.element(add(), {a[1], b.element(mix(), {x})})};
  });
  b.live_out(out[1]);
  expect_right(b, small_world(3));
  rewrite(b, {normalise_loops, rotate_loops});
  EXPECT_EQ(count_here(loop_in(b.program.top).regions[0], "mix"), 2u);
  merge(b);
  EXPECT_EQ(count_here(loop_in(b.program.top).regions[0], "mix"), 1u);
}

TEST(CommonSubexpressions, AreOffWithFusionAndByName) {
  ProgramBuilder b = knowing();
  const ValueId v = b.live_in(kSpace0);
  for (int k = 0; k < 2; ++k) b.live_out(b.mxv(0, v, kSpace0));
  Options off, without;
  off.fusion = Fusion::off;
  without.passes_off = {"common-subexpressions"};
  const auto products = [&](const Options& options) {
    std::size_t made = 0;
    const Plan plan = expect_right(b, small_world(2), options);
    for (const Launch* launch : launches(plan)) made += launch->out.size();
    return made;
  };
  EXPECT_EQ(products({}), 1u);
  EXPECT_EQ(products(off), 2u);
  EXPECT_EQ(products(without), 2u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
