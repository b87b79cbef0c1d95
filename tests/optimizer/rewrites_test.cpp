/// @file
/// The passes over programs: dead values, normal form of loops, rotation. After each, programs compute what they did.
#include <gtest/gtest.h>

#include <algorithm>

#include "kasen/base/program_tools.h"
#include "optimizer/rewrite/dead_values.h"
#include "optimizer/rewrite/normalise_loops.h"
#include "optimizer/rewrite/rotate_loops.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/program_queries.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

// ---- dead values ----

TEST(DeadValues, ChainsThatNobodyReadsGo) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.reduce(kPlus, b.mxv(0, b.element(mix(), {v}), kSpace0));
  b.live_out(b.element(scale(3), {v}));
  rewrite(b, {remove_dead_values});
  ASSERT_EQ(b.program.top.statements.size(), 1u);
  EXPECT_EQ(b.program.top.statements[0].label, "scale");
}

TEST(DeadValues, LookThroughBackEdges) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  // The first two feed each other only, the third is read by the live fourth.
  const Values out = b.repeat(3, {v, v, v, v}, [&](const Values& a) {
    return Values{b.element(scale(3), {a[1]}), b.element(shift(5), {a[0]}), b.element(mix(), {a[2]}),
                  b.element(add(), {a[2], a[3]})};
  });
  b.live_out(out[3]);
  rewrite(b, {remove_dead_values});
  EXPECT_EQ(count(b.program.top, "scale") + count(b.program.top, "shift"), 0u);
  EXPECT_EQ(count(b.program.top, "mix"), 1u);
  EXPECT_EQ(loop_in(b.program.top).regions[0].arguments.size(), 3u);  // with the counter
  rewrite(b, {normalise_loops, rotate_loops, remove_dead_values});
}

TEST(DeadValues, LoopsWithoutLiveResultGoAsAWhole) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.repeat(3, {v}, [&](const Values& a) { return Values{b.element(mix(), {a[0]})}; });
  b.live_out(v);
  rewrite(b, {remove_dead_values});
  EXPECT_TRUE(b.program.top.statements.empty());
}

TEST(DeadValues, ResultsOfBranchesGoOneByOne) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), s = b.live_shared();
  const Values out = b.branch(
      s,
      [&] {
        return Values{b.element(mix(), {v}), b.element(scale(3), {v})};
      },
      [&] {
        return Values{b.element(shift(3), {v}), v};
      });
  b.live_out(out[1]);
  rewrite(b, {remove_dead_values});
  EXPECT_EQ(count(b.program.top, "mix") + count(b.program.top, "shift"), 0u);
  EXPECT_EQ(count(b.program.top, "scale"), 1u);
  EXPECT_EQ(b.program.top.statements[0].out.size(), 1u);
  EXPECT_EQ(b.program.top.statements[0].regions[1].yields, Values{v});
}

TEST(DeadValues, WhatOnlyTheConditionReadsStays) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const ValueId w = b.repeat(2, {v}, [&](const Values& a) { return Values{b.element(mix(), {a[0]})}; })[0];
  b.live_out(w);
  rewrite(b, {remove_dead_values});
  EXPECT_EQ(count(b.program.top, "below"), 1u);
  EXPECT_EQ(count(b.program.top, "next"), 1u);
}

// ---- normal form ----

const Function kBelow3{"below", [](const Numbers&, const Numbers& s) { return Number{s[0] < 3}; }, {}};
const Function kNext{"next", [](const Numbers&, const Numbers& s) { return s[0] + 1; }, {}};
const Function kZero{"zero", [](const Numbers&, const Numbers&) { return Number{0}; }, {}};

TEST(NormalForm, TheConditionRunsBeforeAndAtTheEnd) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.live_out(b.repeat(3, {v}, [&](const Values& a) { return Values{b.element(mix(), {a[0]})}; })[0]);
  rewrite(b, {normalise_loops});
  expect_normal(b.program);
  EXPECT_EQ(count_here(b.program.top, "below"), 1u);
  EXPECT_EQ(loop_in(b.program.top).regions[0].statements.back().label, "below");
}

TEST(NormalForm, AConditionThatStores) {
  // for (n = 0; n++, v = mix(v), n < 3;): the condition's stores hold after the loop, too.
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const Values out = b.loop(
      {v, b.apply(kZero, {})},
      [&](Values& a) {
        a[1] = b.apply(kNext, {a[1]});
        a[0] = b.element(mix(), {a[0]});
        return b.apply(kBelow3, {a[1]});
      },
      [&](const Values& a) {
        return Values{b.element(scale(3), {a[0]}), a[1]};
      });
  b.live_out(out[0]);
  b.live_out(out[1]);
  rewrite(b, {normalise_loops, rotate_loops, remove_dead_values});
  expect_normal(b.program);
}

TEST(NormalForm, ResultsOfTheConditionThatTheBodyReads) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  ValueId inside{}, sum{};
  const Values out = b.loop(
      {v, b.apply(kZero, {})},
      [&](Values& a) {
        inside = b.element(mix(), {a[0]});
        sum = b.reduce(kPlus, inside);
        return b.apply(kBelow3, {a[1]});
      },
      [&](const Values& a) {
        return Values{b.element(scale_by_shared(), {inside}, {sum}), b.apply(kNext, {a[1]})};
      });
  b.live_out(out[0]);
  rewrite(b, {normalise_loops});
  expect_normal(b.program);
  const Block& body = loop_in(b.program.top).regions[0];
  EXPECT_TRUE(std::count(body.arguments.begin(), body.arguments.end(), inside)) << "carried under its own name";
  EXPECT_TRUE(std::count(body.arguments.begin(), body.arguments.end(), sum));
}

TEST(NormalForm, ATestFromOutside) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), never = b.apply(kZero, {});
  const Values out = b.loop(
      {v}, [&](Values&) { return never; }, [&](const Values& a) { return Values{b.element(mix(), {a[0]})}; });
  b.live_out(out[0]);
  b.live_out(never);
  rewrite(b, {normalise_loops});
  expect_normal(b.program);
}

TEST(NormalForm, TwoArgumentsTheConditionMakesEqual) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0), w = b.live_in(kSpace0);
  const Values out = b.loop(
      {v, w, b.apply(kZero, {})},
      [&](Values& a) {
        a[0] = a[1] = b.element(add(), {a[0], a[1]});
        return b.apply(kBelow3, {a[2]});
      },
      [&](const Values& a) {
        return Values{b.element(mix(), {a[0]}), b.element(scale(3), {a[1]}), b.apply(kNext, {a[2]})};
      });
  for (ValueId value : out) b.live_out(value);
  b.live_out(b.element(minus(), {out[0], out[1]}));
  rewrite(b, {normalise_loops, rotate_loops, remove_dead_values});
  expect_normal(b.program);
  EXPECT_EQ(b.program.live_out[0].value, b.program.live_out[1].value);
}

TEST(NormalForm, NestedLoops) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const auto inner = [&](const Values& a) {
    return b.repeat(2, a, [&](const Values& i) { return Values{b.mxv(0, b.element(mix(), {i[0]}), kSpace0)}; });
  };
  b.live_out(b.repeat(3, {v}, inner)[0]);
  rewrite(b, {normalise_loops, rotate_loops, remove_dead_values});
  expect_normal(b.program);
}

TEST(NormalForm, ALoopInACondition) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const Values out = b.loop(
      {v, b.apply(kZero, {})},
      [&](Values& a) {
        a[0] = b.repeat(2, {a[0]}, [&](const Values& i) { return Values{b.element(mix(), {i[0]})}; })[0];
        return b.apply(kBelow3, {a[1]});
      },
      [&](const Values& a) {
        return Values{a[0], b.apply(kNext, {a[1]})};
      });
  b.live_out(out[0]);
  rewrite(b, {normalise_loops, rotate_loops, remove_dead_values});
  expect_normal(b.program);
}

// ---- rotation ----

/// A loop around `mxv(head(v))`.
ProgramBuilder loop_with_head(const std::function<ValueId(ProgramBuilder&, ValueId)>& head, bool likely = true) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  b.live_out(b.repeat(
      3, {v}, [&](const Values& a) { return Values{b.mxv(0, head(b, a[0]), kSpace0)}; }, likely)[0]);
  return b;
}

std::size_t carried_after_rotation(ProgramBuilder& b) {
  rewrite(b, {remove_dead_values, normalise_loops});
  const std::size_t before = loop_in(b.program.top).in.size();
  rewrite(b, {rotate_loops, remove_dead_values});
  expect_normal(b.program);
  return loop_in(b.program.top).in.size() - before + (count_here(b.program.top, "mix") > 0 ? 1 : 0);
}

TEST(Rotation, MovesTheHeadToTheEndOfTheBody) {
  ProgramBuilder b = loop_with_head([](ProgramBuilder& p, ValueId v) { return p.element(mix(), {v}); });
  rewrite(b, {remove_dead_values, normalise_loops, rotate_loops, remove_dead_values});
  expect_normal(b.program);
  const Block& body = loop_in(b.program.top).regions[0];
  EXPECT_EQ(count_here(b.program.top, "mix"), 1u);
  EXPECT_EQ(count_here(body, "mix"), 1u);
  EXPECT_EQ(body.statements.front().label, "mxv");
  EXPECT_TRUE(std::count(body.arguments.begin(), body.arguments.end(), body.statements.front().in[0]));
}

TEST(Rotation, OnlyWhereTheConditionIsLikely) {
  ProgramBuilder b = loop_with_head([](ProgramBuilder& p, ValueId v) { return p.element(mix(), {v}); }, false);
  EXPECT_EQ(carried_after_rotation(b), 0u);
}

TEST(Rotation, OnlyWhatIsTotal) {
  ProgramBuilder b = loop_with_head([](ProgramBuilder& p, ValueId v) { return p.element(partial(mix()), {v}); });
  EXPECT_EQ(carried_after_rotation(b), 0u);
  ProgramBuilder deeper = loop_with_head(
      [](ProgramBuilder& p, ValueId v) { return p.element(mix(), {p.element(partial(scale(3)), {v})}); });
  EXPECT_EQ(carried_after_rotation(deeper), 0u);
}

TEST(Rotation, WorkOnSharedsComesAlong) {
  ProgramBuilder b = loop_with_head([](ProgramBuilder& p, ValueId v) {
    return p.element(scale_by_shared(), {p.element(mix(), {v})}, {p.apply(kNext, {p.apply(kZero, {})})});
  });
  rewrite(b, {normalise_loops, rotate_loops, remove_dead_values});
  EXPECT_EQ(loop_in(b.program.top).regions[0].statements.front().label, "mxv");
  EXPECT_EQ(count_here(b.program.top, "next"), 1u);
}

TEST(Rotation, NotWhatNeedsAReductionOrAProduct) {
  ProgramBuilder b = loop_with_head(
      [](ProgramBuilder& p, ValueId v) { return p.element(scale_by_shared(), {v}, {p.reduce(kPlus, v)}); });
  rewrite(b, {normalise_loops, rotate_loops});
  EXPECT_EQ(count_here(b.program.top, "scale"), 0u);
  ProgramBuilder twice = loop_with_head(
      [](ProgramBuilder& p, ValueId v) { return p.element(scale(3), {p.mxvt(0, p.element(mix(), {v}), kSpace0)}); });
  rewrite(twice, {normalise_loops, rotate_loops});
  EXPECT_EQ(count_here(twice.program.top, "scale"), 0u);
  EXPECT_EQ(count_here(twice.program.top, "mix"), 1u) << "what feeds the first product is rotated";
}

TEST(Rotation, OtherReadersOfTheHeadKeepIt) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const Values out = b.repeat(3, {v, v}, [&](const Values& a) {
    const ValueId between = b.element(mix(), {a[0]});
    const ValueId head = b.element(scale(3), {between});
    return Values{b.mxv(0, head, kSpace0), b.element(add(), {between, b.element(minus(), {head, a[1]})})};
  });
  b.live_out(out[0]);
  b.live_out(out[1]);
  rewrite(b, {remove_dead_values, normalise_loops, rotate_loops, remove_dead_values});
  const Block& body = loop_in(b.program.top).regions[0];
  EXPECT_EQ(count_here(body, "scale"), 1u) << "read as an argument";
  EXPECT_EQ(count_here(body, "mix"), 2u) << "made again for its other reader";
}

TEST(Rotation, InnerLoopsOneLevel) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0);
  const Values out = b.repeat(2, {v}, [&](const Values& a) {
    return b.repeat(2, a, [&](const Values& i) { return Values{b.mxv(0, b.element(mix(), {i[0]}), kSpace0)}; });
  });
  b.live_out(out[0]);
  rewrite(b, {remove_dead_values, normalise_loops, rotate_loops, remove_dead_values});
  expect_normal(b.program);
  Block& outer = loop_in(b.program.top).regions[0];
  EXPECT_EQ(count_here(b.program.top, "mix"), 0u) << "the inner prologue is not carried round the outer back edge";
  EXPECT_EQ(count_here(outer, "mix"), 1u);
  EXPECT_EQ(count_here(loop_in(outer).regions[0], "mix"), 1u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
