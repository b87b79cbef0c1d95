/// @file
/// Sweeps in which MxVs run among other work: what pulls, what pushes, what is stored, and what it costs.
#include <gtest/gtest.h>

#include "optimizer/cost/formulas.h"
#include "optimizer/cost/time_model.h"
#include "optimizer/text/draw.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/grouped.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

/// As small_world, but the rows of both matrices are whole on a worker, or their columns are.
World whole_world(Role::Side side, std::uint32_t workers = 3) {
  World world = small_world(workers);
  for (std::uint32_t matrix : {0u, 1u}) world.keep_whole(matrix, side);
  return world;
}

Plan together(const ProgramBuilder& b, const World& world, const FusionOptions& fusion = {}) {
  const GroupedPlans plans(b, world, true);
  auto plan = plans.plan(plans.together(), fusion);
  if (!plan) throw std::logic_error("no plan");
  expect_right(*plan, b, world);
  return std::move(*plan);
}

std::vector<std::string> labels(const Sweep& sweep) {
  std::vector<std::string> found;
  for (const Launch& launch : sweep.launches) found.push_back((launch.push ? "push " : "") + launch.label);
  return found;
}
using Labels = std::vector<std::string>;

TEST(MixedSweep, MakesOnePassOverWholeRows) {
  const World world = whole_world(Role::Side::row);
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)})), weight = b.live_in(kSpace0);
  const ValueId z = b.mxvt(1, v, kSpace0);
  const ValueId y = b.element(mix(), {z, weight});
  const ValueId sum = b.reduce(kPlus, y), g = b.mxv(1, y, kSpace1);
  for (ValueId out : {sum, g}) b.live_out(out);
  const Plan plan = together(b, world);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u) << print_steps(plan);
  const Sweep& sweep = *all<Sweep>(plan)[0];
  EXPECT_EQ(sweep.matrix, MatrixId{1});
  EXPECT_EQ(sweep.space, kSpace0);
  EXPECT_EQ(labels(sweep), (Labels{"mxvt", "mix", "reduce", "push mxv"}));
  EXPECT_EQ(place_of(sweep, z).kind, Place::Kind::temporary);
  EXPECT_EQ(place_of(sweep, y).kind, Place::Kind::temporary);
  EXPECT_EQ(place_of(sweep, g).kind, Place::Kind::output);

  // Once per non-zero: 4 bytes of index, v, and what is added to. Once per row: its pointer, and the weight.
  const PlacementStats stats = world.stats();
  StepFormulas costs = formulas_of(plan, plan.steps[0], stats, Column::stream);
  EXPECT_EQ(costs.bytes_read.text(stats), "16N0 + 8S0_row1 + 20M1");
  EXPECT_EQ(costs.elements_read.text(stats), "2N0 + S0_row1 + 3M1");
  EXPECT_EQ(costs.bytes_written.text(stats), "8M1");
  EXPECT_EQ(costs.elements_initialised.text(stats), "N1 + S1");
  // The paper's terms: each MxV reads its vector and reads and writes its result per non-zero; the matrix comes once.
  costs = formulas_of(plan, plan.steps[0], stats, Column::model);
  EXPECT_EQ(costs.bytes_read.text(stats), "8N0 + 36M1");
  EXPECT_EQ(costs.bytes_written.text(stats), "16M1");

  Names names(plan.reducers);
  EXPECT_EQ(headline(plan.steps[0], names, SourceLines::hidden),
            "sweep over matrix 1 and space 0: 4 operations, 2 in, 1 out");
  EXPECT_NE(details(plan, plan.steps[0], names, SourceLines::hidden).back().find("pushed"), std::string::npos);
  EXPECT_NE(draw(plan).find("matrix 1 and space 0"), std::string::npos);
}

TEST(MixedSweep, MakesOnePassOverWholeColumns) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent({row_role(1)}));
  b.live_out(b.mxvt(1, b.element(mix(), {b.mxv(1, v, kSpace1)}), kSpace0));
  const Plan plan = together(b, whole_world(Role::Side::column));
  ASSERT_EQ(all<Sweep>(plan).size(), 1u);
  EXPECT_EQ(all<Sweep>(plan)[0]->space, kSpace1);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (Labels{"mxv", "mix", "push mxvt"}));
}

/// What a product of both ends pulls it reads through the matrix, and what is at its outputs row by row; what pushes,
/// the other way round.
TEST(MixedSweep, MakesOnePassForBothEnds) {
  const World world = whole_world(Role::Side::row);
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)})), u = b.live_in(kSpace0);
  const ValueId z = b.of_ends(Op::mxvt, 1, mix(), {v}, {u}, kSpace0);
  const ValueId y = b.element(mix(), {z});
  b.live_out(b.of_ends(Op::mxv, 1, mix(), {y}, {v}, kSpace1));
  const Plan plan = together(b, world);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u) << print_steps(plan);
  const Sweep& sweep = *all<Sweep>(plan)[0];
  EXPECT_EQ(labels(sweep), (Labels{"mxvt", "mix", "push mxv"}));
  // Once per non-zero: 4 bytes of index, v for both, and what is added to. Once per row: its pointer, and u.
  const PlacementStats stats = world.stats();
  const StepFormulas costs = formulas_of(plan, plan.steps[0], stats, Column::stream);
  EXPECT_EQ(costs.bytes_read.text(stats), "16N0 + 8S0_row1 + 20M1");
  EXPECT_EQ(costs.bytes_written.text(stats), "8M1");
}

/// What is at the outputs of a push has to be complete before it.
TEST(MixedSweep, WaitsForTheOtherEnd) {
  const World world = whole_world(Role::Side::row);
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace0, State::consistent({row_role(0), column_role(0)}));
  const ValueId y = b.element(mix(), {b.mxvt(0, v, kSpace0)});
  b.live_out(b.of_ends(Op::mxv, 0, mix(), {y}, {y}, kSpace0));
  const GroupedPlans plans(b, world, true);
  EXPECT_FALSE(plans.plan(plans.together(), {}));
}

TEST(MixedSweep, StoresWhatOthersRead) {
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)}));
  const ValueId z = b.mxvt(1, v, kSpace0), y = b.element(mix(), {z});
  b.live_out(b.mxv(1, y, kSpace1));
  b.live_out(z);
  b.live_out(y);
  const World world = whole_world(Role::Side::row);
  const Plan plan = together(b, world);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u);
  const PlacementStats stats = world.stats();
  const StepFormulas costs = formulas_of(plan, plan.steps[0], stats, Column::stream);
  EXPECT_EQ(costs.bytes_written.text(stats), "16N0 + 8M1");
  EXPECT_EQ(costs.bytes_read.text(stats), "8N0 + 8S0_row1 + 20M1") << "what the sweep made it does not read";
}

/// Both sides of a square matrix are one space: what is read at random dies, and would fit every output.
TEST(MixedSweep, LeavesWhatIsReadAtRandomAlone) {
  for (const Role::Side side : {Role::Side::row, Role::Side::column}) {
    ProgramBuilder b;
    const bool rows = side == Role::Side::row;
    const ValueId v = b.live_in(kSpace0, State::consistent({row_role(0), column_role(0)}), true);
    const ValueId w = b.live_in(kSpace0, State::consistent({row_role(0), column_role(0)}), true);
    const ValueId z = rows ? b.mxvt(0, v, kSpace0) : b.mxv(0, v, kSpace0);
    const ValueId y = b.element(mix(), {z, v, w});
    const ValueId g = rows ? b.mxv(0, y, kSpace0) : b.mxvt(0, y, kSpace0);
    for (ValueId out : {z, y, g}) b.live_out(out);
    const Plan plan = together(b, whole_world(side));
    ASSERT_EQ(all<Sweep>(plan).size(), 1u);
    const Sweep& sweep = *all<Sweep>(plan)[0];
    EXPECT_EQ(place_of(sweep, z).replaces, kNone<ValueId>);
    EXPECT_EQ(place_of(sweep, y).replaces, w) << "which nothing reads any more, unlike v";
    EXPECT_FALSE(place_of(sweep, y).late_copy);
    EXPECT_EQ(place_of(sweep, g).replaces, kNone<ValueId>);
  }
}

TEST(MixedSweep, ReadsPartialResultsAsLawsAllow) {
  // Non-zeros lie anywhere: scaling and the reduction by plus take partial results, with no transition.
  ProgramBuilder b;
  const ValueId z = b.mxvt(1, b.live_in(kSpace1, State::consistent({column_role(1)})), kSpace0);
  b.live_out(b.reduce(kPlus, b.element(scale(3), {z})));
  const Plan plan = together(b, small_world(3));
  ASSERT_EQ(all<Sweep>(plan).size(), 1u) << print_steps(plan);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (Labels{"mxvt", "scale", "reduce"}));
  EXPECT_EQ(place_of(*all<Sweep>(plan)[0], z).kind, Place::Kind::temporary);
}

TEST(MixedSweep, PushesWhatIsConsistent) {
  ProgramBuilder b;
  const ValueId a = b.live_in(kSpace0, State::consistent({row_role(1)}));
  b.live_out(b.mxv(1, b.element(mix(), {a}), kSpace1));
  const Plan plan = together(b, small_world(3));
  ASSERT_EQ(all<Sweep>(plan).size(), 1u) << print_steps(plan);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (Labels{"mix", "push mxv"}));
}

TEST(MixedSweep, WaitsForTransitionsThatMove) {
  ProgramBuilder b;
  const ValueId z = b.mxvt(1, b.live_in(kSpace1, State::consistent({column_role(1)})), kSpace0);
  b.live_out(b.mxv(1, b.element(mix(), {z}), kSpace1));
  const GroupedPlans moving(b, small_world(3), true), whole(b, whole_world(Role::Side::row), false);
  EXPECT_FALSE(moving.plan(moving.together()));
  EXPECT_FALSE(whole.plan(whole.together())) << "empty transitions are boundaries";
}

TEST(MixedSweep, PullsInGroupsAndPushesOneByOne) {
  ProgramBuilder b;
  std::vector<ValueId> pulled;
  for (int k = 0; k < 3; ++k) {
    pulled.push_back(b.mxvt(1, b.live_in(kSpace1, State::consistent({column_role(1)})), kSpace0));
  }
  const ValueId y = b.element(mix(), pulled);
  for (ValueId u : {y, pulled[0]}) b.live_out(b.mxv(1, u, kSpace1));
  const World world = whole_world(Role::Side::row);
  Plan plan = together(b, world);
  ASSERT_EQ(all<Sweep>(plan).size(), 1u);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (Labels{"mxvt", "mxvt", "mix", "push mxv", "push mxv"}));
  EXPECT_EQ(all<Sweep>(plan)[0]->slots, 3) << "mix is made in place";
  plan = together(b, world, {true, false});
  // Without join-mxv one pull and one push at most: the second push waits for nothing, the first for all three pulls.
  ASSERT_EQ(all<Sweep>(plan).size(), 3u);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (Labels{"mxvt", "push mxv"}));
  EXPECT_EQ(labels(*all<Sweep>(plan)[1]), (Labels{"mxvt"}));
  EXPECT_EQ(labels(*all<Sweep>(plan)[2]), (Labels{"mxvt", "mix", "push mxv"}));
}

TEST(MixedSweep, HoldsNoMoreThanFits) {
  // Another matrix, another space, and a product of what the sweep pushes come later.
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)}));
  const ValueId y = b.element(mix(), {b.mxvt(1, v, kSpace0)});
  const ValueId g = b.mxv(1, y, kSpace1);
  b.live_out(b.mxv(0, y, kSpace0));
  b.live_out(b.element(mix(), {v}));
  b.live_out(g);
  const World world = whole_world(Role::Side::row);
  const Plan plan = together(b, world);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (Labels{"mxvt", "mix", "push mxv"}));
  EXPECT_EQ(all<Sweep>(plan).size(), 3u);
}

/// Predicted time: v and the result are in the caches together; three sweeps have one of them at a time.
TEST(MixedSweep, ReachesTwoVectorsAtRandomTogether) {
  const World world = whole_world(Role::Side::row);
  const PlacementStats stats = world.stats();
  ProgramBuilder b;
  const ValueId v = b.live_in(kSpace1, State::consistent({column_role(1)}));
  b.live_out(b.mxv(1, b.element(mix(), {b.mxvt(1, v, kSpace0)}), kSpace1));
  const Plan plan = together(b, world);
  Profile profile;
  const std::uint64_t local =
      (stats.spaces[1].masters + stats.of(kSpace1, {column_role(1)}).replicas + world.workers - 1) / world.workers;
  const std::uint64_t both = random_access_picoseconds(2 * 8 * local, profile);
  const SweepTime time = time_of_sweep(plan, plan.steps[0], stats, profile);
  EXPECT_EQ(time.random, 2 * stats.matrices[1].nonzeros * both * kTicksPerPicosecond);
  // What is left streams: the index per non-zero, the pointer per row; and the result is set to its identity.
  const ByteRates rates = byte_rates(profile);
  const std::uint64_t rows = stats.spaces[0].masters;
  const std::uint64_t filled = stats.spaces[1].masters + stats.of(kSpace1, {column_role(1)}).replicas;
  EXPECT_EQ(time.stream, (4 * stats.matrices[1].nonzeros + 8 * rows) * rates.read + 8 * filled * rates.write);
}

TEST(MixedSweep, OfProductsAloneInBothDirections) {
  ProgramBuilder b;
  b.live_out(b.mxvt(1, b.live_in(kSpace1, State::consistent({column_role(1)})), kSpace0));
  b.live_out(b.mxv(1, b.live_in(kSpace0, State::consistent({row_role(1)})), kSpace1));
  const Plan plan = together(b, small_world(3));
  ASSERT_EQ(all<Sweep>(plan).size(), 1u);
  EXPECT_EQ(labels(*all<Sweep>(plan)[0]), (Labels{"mxvt", "push mxv"}));
}

}  // namespace
}  // namespace kasen::optimizer::tests
