/// @file
/// Live values at boundaries of a plan that is made by hand, beside the ones that a reader of it finds.
#include "optimizer/plan/live_at.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "kasen/base/error.h"

namespace kasen::optimizer {
namespace {

ValueId value(int number) { return static_cast<ValueId>(number); }
std::vector<ValueId> values(const std::vector<int>& numbers) {
  std::vector<ValueId> list;
  for (const int number : numbers) list.push_back(value(number));
  return list;
}

template <class What>
Step step_of(What what) {
  Step step;
  step.what = std::move(what);
  return step;
}

Step scalar(const std::vector<int>& in, int out) {
  ScalarWork work;
  work.in = values(in);
  work.out = value(out);
  return step_of(work);
}

Step scatter(int from, int to) {
  Exchange exchange;
  exchange.scatters.push_back({value(from), value(to), {}});
  return step_of(exchange);
}

/// 0: before; 1, 2: read in the outer loop, and after it; 3 ... 6: carried by the outer loop; 10 ... 13: by the inner
/// one, which stands in a branch.
Plan nested_plan() {
  Loop inner;
  inner.initial = values({7, 20}), inner.arguments = values({10, 21}), inner.yields = values({11, 22});
  inner.results = values({12, 23});
  inner.test = value(21);
  inner.body_block = 4;
  inner.body = {scalar({10, 1}, 11), scalar({11}, 22)};
  Branch branch;
  branch.test = value(24);
  branch.then_block = 2, branch.otherwise_block = 3;
  branch.then = {scalar({7}, 20), step_of(inner), scalar({12, 30}, 13)};
  branch.then_yields = values({13}), branch.otherwise_yields = values({7}), branch.results = values({8});
  Loop outer;
  outer.initial = values({0, 25}), outer.arguments = values({3, 26}), outer.yields = values({8, 27});
  outer.results = values({5, 28});
  outer.test = value(26);
  outer.body_block = 1;
  outer.body = {scatter(3, 6), scalar({6}, 7), scalar({7}, 24), scalar({3}, 30), step_of(branch), scalar({8}, 27)};
  Plan plan;
  plan.values.resize(40);
  plan.steps = {scalar({0}, 25), step_of(outer), scalar({5, 2}, 29)};
  plan.results.push_back({value(29), value(29), {}});
  plan.results.push_back({value(31), value(31), {}});
  return plan;
}

TEST(LiveAt, OfAnOuterLoopAreItsArgumentsInvariantsAndWhatIsReadAfterIt) {
  EXPECT_EQ(live_at(nested_plan(), LoopPosition{1}), values({1, 2, 3, 26, 31}));
}

TEST(LiveAt, OfAnInnerLoopAreThoseOfTheIterationAroundToo) {
  // 3 and 26 are made anew by the iteration that ends; 13 is not yet made, and of 30 it is.
  EXPECT_EQ(live_at(nested_plan(), LoopPosition{1, 2, 4}), values({1, 2, 10, 21, 30, 31}));
}

TEST(LiveAt, KnowsWhichPlacesAPlanHas) {
  const Plan plan = nested_plan();
  for (const LoopPosition& place : {LoopPosition{1}, {1, 2, 4}}) EXPECT_TRUE(has_place(plan, place));
  for (const LoopPosition& none : {LoopPosition{9}, {1, 2}, {1, 3, 4}, {1, 4}, {1, 2, 4, 5}, {2}})
    EXPECT_FALSE(has_place(plan, none));
}

TEST(LiveAt, RefusesWhatIsNoBoundary) {
  EXPECT_THROW(live_at(nested_plan(), LoopPosition{1, 2}), InternalError);
  EXPECT_THROW(live_at(nested_plan(), LoopPosition{9}), InternalError);
}

TEST(LiveAt, ValuesThatMoveHaveTheOriginThatTheyMovedFrom) {
  const std::vector<ValueId> from = origins(nested_plan());
  EXPECT_EQ(from[6], value(3));
  EXPECT_EQ(from[7], value(7));
}

}  // namespace
}  // namespace kasen::optimizer
