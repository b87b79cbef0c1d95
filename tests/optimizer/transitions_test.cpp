/// @file
/// Where transitions go: eager, lazy and hybrid.
#include <gtest/gtest.h>

#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;
const RoleSet kRow{row_role(0)}, kColumn{column_role(0)};

Plan planned(const ProgramBuilder& b, Sync sync, Fusion fusion = Fusion::greedy) {
  Options options;
  options.sync = sync;
  options.fusion = fusion;
  return expect_right(b, small_world(3), options);
}
constexpr Sync kAll[] = {Sync::hybrid, Sync::eager, Sync::lazy};

/// Moves within loops and outside of them.
struct Traffic {
  std::size_t gathers = 0, scatters = 0;
};
Traffic traffic(const std::vector<Step>& steps) {
  Traffic sum;
  for (const Exchange* e : all<Exchange>(steps)) {
    sum.gathers += e->gathers.size();
    sum.scatters += e->scatters.size();
  }
  return sum;
}

TEST(Transitions, AValueIsGatheredOnce) {
  for (const Sync sync : kAll) {
    ProgramBuilder b;
    const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0);
    b.live_out(b.element(mix(), {sum}));
    b.live_out(b.element(mix(), {sum, b.live_in(kSpace0)}));
    b.live_out(sum, true);
    EXPECT_EQ(gathers(planned(b, sync)).size(), 1u);
  }
}

TEST(Transitions, ReadersOfThePreReducedValueComeBeforeTheGather) {
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0);
  b.live_out(b.reduce(kPlus, sum));
  b.live_out(b.element(mix(), {sum}));
  const Plan plan = planned(b, Sync::lazy);
  ASSERT_NE(launch_by(plan, 5), nullptr);
  EXPECT_EQ(gathers(plan).size(), 1u);
  std::vector<std::string> order;
  for (const Step& step : plan.steps) {
    if (const auto* sweep = std::get_if<Sweep>(&step.what)) order.push_back(sweep->launches[0].label);
    if (const auto* exchange = std::get_if<Exchange>(&step.what); exchange && !exchange->gathers.empty())
      order.push_back("gather");
  }
  EXPECT_EQ(order, (std::vector<std::string>{"mxv", "reduce", "gather", "mix"}));
}

TEST(Transitions, ReadersAfterALoopThatGathersReadWhatIsGathered) {
  // The loop takes up the gathered value; a reader after it must not hold the gather back.
  for (const Sync sync : kAll) {
    ProgramBuilder b;
    const ValueId sum = b.live_in(kSpace0, State::pre_reduced(kPlus, kColumn), true);
    const ValueId carried = b.live_in(kSpace0);
    const Values out = b.repeat(2, {carried}, [&](const Values&) { return Values{sum}; });
    b.live_out(b.element(add(), {sum, out[0]}));
    EXPECT_EQ(gathers(planned(b, sync)).size(), 1u);
  }
}

TEST(Transitions, AScatterGoesToAllRolesThatAreRead) {
  for (const Sync sync : kAll) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0);
    b.live_out(b.mxv(0, v, kSpace0));
    b.live_out(b.mxvt(0, v, kSpace0));
    b.live_out(b.mxv(1, v, kSpace1));
    const Plan plan = planned(b, sync);
    ASSERT_EQ(scatters(plan).size(), 1u);
    EXPECT_EQ(scatters(plan)[0].roles, (RoleSet{row_role(0), column_role(0), row_role(1)}));
  }
}

TEST(Transitions, WithoutRolesAllReplicasMove) {
  ProgramBuilder b;
  b.live_out(b.mxv(0, b.live_in(kSpace0), kSpace0));
  Options options;
  options.roles = false;
  const Plan plan = expect_right(b, small_world(3), options);
  EXPECT_EQ(scatters(plan).at(0).roles, small_world(3).roles_of(kSpace0));
}

TEST(Transitions, OfInvariantsLeaveTheLoop) {
  for (const Sync sync : kAll) {
    ProgramBuilder b;
    const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0), v = b.live_in(kSpace0);
    // The condition is not likely, so the product itself stays.
    const Values out = b.repeat(
        3, {b.live_in(kSpace0)},
        [&](const Values& a) {
          return Values{b.element(mix(), {sum, a[0], b.element(mix(), {b.mxv(0, v, kSpace0)})})};
        },
        false);
    b.live_out(out[0]);
    const Plan plan = planned(b, sync);
    ASSERT_EQ(all<Loop>(plan).size(), 1u);
    const Traffic inside = traffic(all<Loop>(plan)[0]->body);
    EXPECT_EQ(inside.gathers, 1u) << "only that of the product in the body";
    EXPECT_EQ(inside.scatters, 0u);
  }
}

TEST(Transitions, EagerPairsComeRightAfterTheProducer) {
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0);
  b.live_out(b.mxv(0, b.element(scale(3), {sum}), kSpace0));
  const Plan plan = planned(b, Sync::eager);
  ASSERT_GE(plan.steps.size(), 5u);
  EXPECT_TRUE(std::holds_alternative<Sweep>(plan.steps[0].what));
  EXPECT_EQ(std::get<Exchange>(plan.steps[1].what).gathers.size(), 1u);
  EXPECT_EQ(std::get<Exchange>(plan.steps[2].what).scatters.size(), 1u);
  EXPECT_EQ(launch_by(plan, 9)->label, "scale");
}

TEST(Transitions, LazyPairsComeWhereNoRuleFits) {
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0);
  const ValueId scaled = b.element(scale(3), {sum});
  b.live_out(b.mxv(0, scaled, kSpace0));
  const Plan plan = planned(b, Sync::lazy);
  EXPECT_EQ(launch_by(plan, 10)->label, "scale");
  ASSERT_EQ(gathers(plan).size(), 1u);
  EXPECT_EQ(gathers(plan)[0].from, scaled);
  EXPECT_EQ(scatters(plan).size(), 1u);
}

TEST(Transitions, HybridPlacesGatherAndScatterApart) {
  // Between them the map runs on masters: the paper's figure 3.
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0);
  const ValueId scaled = b.element(scale(3), {sum});
  b.live_out(b.mxv(0, scaled, kSpace0));
  const Plan plan = planned(b, Sync::hybrid);
  EXPECT_EQ(launch_by(plan, 8)->label, "scale");
  ASSERT_EQ(gathers(plan).size(), 1u);
  EXPECT_EQ(gathers(plan)[0].from, sum);
  ASSERT_EQ(scatters(plan).size(), 1u);
  EXPECT_EQ(scatters(plan)[0].from, scaled);
}

TEST(Transitions, ASumOfAPartialResultSynchronisesNoVector) {
  for (const Sync sync : {Sync::hybrid, Sync::lazy}) {
    ProgramBuilder b;
    b.live_out(b.reduce(kPlus, b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0)));
    const Plan plan = planned(b, sync);
    EXPECT_TRUE(gathers(plan).empty());
    EXPECT_TRUE(scatters(plan).empty());
  }
  ProgramBuilder b;
  b.live_out(b.reduce(kPlus, b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0)));
  EXPECT_EQ(gathers(planned(b, Sync::eager)).size(), 1u);
}

TEST(Transitions, HybridNarrowsWhatNobodyReadsOnReplicas) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent(kRow));
  const ValueId mixed = b.element(mix(), {v});
  b.live_out(mixed);
  b.live_out(b.mxv(0, v, kSpace0));
  EXPECT_EQ(state_of(planned(b, Sync::hybrid), mixed), State::partitioned());
  EXPECT_EQ(state_of(planned(b, Sync::lazy), mixed), State::consistent(kRow)) << "C stays C";
}

TEST(Transitions, HybridComputesOnReplicasInsteadOfScattering) {
  // Both inputs are consistent: the product's input can be, without traffic.
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent(kRow)), w = b.live_in(kSpace0, State::consistent(kRow));
  b.live_out(b.mxv(0, b.element(mix(), {v, w}), kSpace0));
  EXPECT_TRUE(scatters(planned(b, Sync::hybrid)).empty());
}

TEST(Transitions, ASourceIsConsistentJustToStandBesideAPartialResult) {
  // Rules 14 and 5: nothing travels but the sum. What is made from sources is as free as they are.
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0);
  const ValueId weights = b.element(mix(), {b.source(kSpace0), b.element(mix(), {b.source(kSpace0, true)})});
  b.live_out(b.reduce(kPlus, b.element(product(), {weights, sum})));
  const Plan plan = planned(b, Sync::hybrid);
  EXPECT_TRUE(gathers(plan).empty());
  EXPECT_TRUE(scatters(plan).empty());
  EXPECT_NE(launch_by(plan, 14), nullptr);
  EXPECT_NE(launch_by(plan, 5), nullptr);
  EXPECT_EQ(state_of(plan, weights), State::consistent(kColumn));
}

TEST(Transitions, AVectorIsNotScatteredJustToStandBesideAPartialResult) {
  ProgramBuilder b;
  const ValueId sum = b.mxv(0, b.live_in(kSpace0, State::consistent(kRow)), kSpace0);
  b.live_out(b.reduce(kPlus, b.element(product(), {b.live_in(kSpace0), sum})));
  const Plan plan = planned(b, Sync::hybrid);
  EXPECT_EQ(gathers(plan).size() + scatters(plan).size(), 1u);
}

TEST(Transitions, EverythingAtABoundaryTravelsTogether) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent(kRow));
  const ValueId x = b.mxv(0, v, kSpace0), y = b.mxv(0, b.element(mix(), {v}), kSpace0);
  b.live_out(b.element(mix(), {x, y}));
  b.live_out(b.reduce(kPlus, b.live_in(kSpace0)));
  const Plan plan = planned(b, Sync::hybrid);
  ASSERT_EQ(all<Exchange>(plan).size(), 1u);
  EXPECT_EQ(all<Exchange>(plan)[0]->gathers.size(), 2u);
  EXPECT_EQ(all<Exchange>(plan)[0]->reductions.size(), 1u);
}

TEST(Transitions, SharedsReadInTheProgramOrAfterItAreKnownToAll) {
  ProgramBuilder b;
  b.live_out(b.reduce(kPlus, b.live_in(kSpace0)));
  const Plan plan = planned(b, Sync::hybrid);
  EXPECT_EQ(state_of(plan, plan.results[0].held).kind, State::Kind::consistent);
  EXPECT_EQ(all<Exchange>(plan).at(0)->reductions.size(), 1u);
}

TEST(Transitions, BothSidesOfABranchYieldOneState) {
  for (const Sync sync : kAll) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0, State::consistent(kRow)), s = b.live_shared();
    const Values out = b.branch(
        s, [&] { return Values{b.mxv(0, v, kSpace0)}; }, [&] { return Values{v}; });
    b.live_out(b.mxv(0, out[0], kSpace0));
    const Plan plan = planned(b, sync);
    const Branch* branch = all<Branch>(plan).at(0);
    const State::Kind kind = state_of(plan, branch->results[0]).kind;
    EXPECT_EQ(state_of(plan, branch->then_yields[0]).kind, kind);
    EXPECT_NE(kind, State::Kind::pre_reduced);
  }
}

TEST(Transitions, LiveInsThatOthersHoldAreLeftReadable) {
  for (const Sync sync : kAll) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0, State::pre_reduced(kPlus, kColumn));
    b.live_out(v, true);
    b.live_out(b.mxv(0, b.element(shift(3), {v}), kSpace0));
    const Plan plan = planned(b, sync);
    EXPECT_NE(plan.results[0].state.kind, State::Kind::pre_reduced);
  }
}

/// What a loop carries may be asked for roles that are not asked of its result: element work on that is consistent for
/// no more than its input is scattered for.
TEST(Transitions, OfWhatALoopHandsOnAsPartialResults) {
  for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
    ProgramBuilder b;
    const ValueId v = b.live_in(kSpace0, State::consistent({column_role(0)}));
    const auto reached = b.repeat(2, {b.mxvt(0, v, kSpace0, kMax)}, [&](const ProgramBuilder::Values& a) {
      return ProgramBuilder::Values{b.element(larger(), {a[0], b.mxv(0, a[0], kSpace0, kMax)})};
    });
    b.live_out(b.element(mix(), {reached[0], reached[0]}));
    Options options;
    options.sync = sync;
    options.roles = false;
    expect_right(b, small_world(3), options);
  }
}

}  // namespace
}  // namespace kasen::optimizer::tests
