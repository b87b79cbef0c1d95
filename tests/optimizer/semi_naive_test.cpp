/// @file
/// Products that read only those elements of their vector that matter: where they are found, and where not. The
/// simulator leaves out what is not active, so a wrong set gives a wrong result.
#include <gtest/gtest.h>

#include "kasen/base/program_tools.h"
#include "optimizer/cost/formulas.h"
#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/text/print.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

ProgramBuilder builder() {
  ProgramBuilder b;
  b.know_extrema();
  return b;
}

std::size_t products_of_active(const Plan& plan) {
  std::size_t found = 0;
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep != nullptr && active_of(*sweep) != kNone<ValueId>) ++found;
  });
  return found;
}

/// Plans under every policy, for 1 and 3 workers, all of which compute what the program says.
std::size_t products_of_active(const ProgramBuilder& b) {
  std::size_t found = 0;
  for (const std::uint32_t workers : {1u, 3u}) {
    for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
      Options options;
      options.sync = sync;
      found = products_of_active(expect_right(b, small_world(workers), options));
    }
    Options exact;
    exact.fusion = Fusion::exact;
    EXPECT_EQ(products_of_active(expect_right(b, small_world(workers), exact)), found);
  }
  return found;
}

TEST(SemiNaive, FollowsChangesOfWhatGrows) {
  ProgramBuilder b = builder();
  const ValueId x = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x}, [&](const Values& in) {
    return Values{b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)})};
  });
  b.live_out(result[0]);
  EXPECT_EQ(products_of_active(b), 1u);
}

TEST(SemiNaive, FollowsChangesInBothDirectionsAtOnce) {
  ProgramBuilder b = builder();
  b.knows_functions = true;
  const ValueId x = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x}, [&](const Values& in) {
    const ValueId there = b.mxv(0, in[0], kSpace0, kMax), back = b.mxvt(0, in[0], kSpace0, kMax);
    return Values{b.element(larger(), {in[0], b.element(larger(), {there, back})})};
  });
  b.live_out(result[0]);
  EXPECT_EQ(products_of_active(b), 2u);
  World world = small_world(3);
  world.mirror(0);
  EXPECT_EQ(products_of_active(expect_right(b, world)), 1u);
}

TEST(SemiNaive, FollowsChangesByAReducerOfTheProgram) {
  ProgramBuilder b;
  b.know_what_combines();
  const ValueId x = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x}, [&](const Values& in) {
    const ValueId there = b.mxv(0, in[0], kSpace0, kMax), back = b.mxvt(0, in[0], kSpace0, kMax);
    return Values{b.element(larger(), {in[0], b.element(larger(), {there, back})})};
  });
  b.live_out(result[0]);
  EXPECT_EQ(products_of_active(b), 2u);
}

TEST(SemiNaive, LeavesAloneWhatCombinesByAnotherFunction) {
  ProgramBuilder b;
  b.know_what_combines();
  const ValueId x = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x}, [&](const Values& in) {
    return Values{b.element(mix(), {in[0], b.mxv(0, in[0], kSpace0, kMax)})};
  });
  b.live_out(result[0]);
  EXPECT_EQ(products_of_active(b), 0u);
}

TEST(SemiNaive, FollowsChangesThroughElementWorkAndBothDirections) {
  ProgramBuilder b = builder();
  const ValueId x = b.live_in(kSpace0), weight = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x}, [&](const Values& in) {
    const ValueId shown = b.element(mix(), {in[0], weight});
    const ValueId there = b.mxv(0, shown, kSpace0, kMax), back = b.mxvt(0, shown, kSpace0, kMax);
    return Values{b.element(larger(), {b.element(larger(), {there, back}), in[0]})};
  });
  b.live_out(result[0]);
  EXPECT_EQ(products_of_active(b), 2u);
}

TEST(SemiNaive, StartsAnewInAnInnerLoop) {
  ProgramBuilder b = builder();
  const ValueId x = b.live_in(kSpace0);
  const Values result = b.repeat(3, {x}, [&](const Values& outer) {
    const Values inner = b.repeat(3, {b.element(mix(), {outer[0]})}, [&](const Values& in) {
      return Values{b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)})};
    });
    return Values{inner[0]};
  });
  b.live_out(result[0]);
  EXPECT_EQ(products_of_active(b), 1u);
}

/// What is larger than before goes on, from a vector that forgets the rest. Products of 0, max's identity, are 0.
ProgramBuilder frontier(bool keeps_identity) {
  ProgramBuilder b = builder();
  const Function news{"news", [](const Numbers& in, const Numbers&) { return in[0] > in[1] ? in[0] : 0; }, {}};
  const Values result = b.repeat(4, {b.live_in(kSpace0), b.live_in(kSpace0)}, [&](const Values& in) {
    const ValueId product = b.mxv(0, in[1], kSpace0, kMax);
    return Values{b.element(larger(), {in[0], product}), b.element(news, {product, in[0]})};
  });
  b.live_out(result[0]);
  for_each_block(b.program.top, [&](Block& block) {
    for (Statement& statement : block.statements) statement.keeps_identity = keeps_identity && statement.op == Op::mxv;
  });
  return b;
}

TEST(SemiNaive, ReadsFrontiersOfFunctionsThatKeepTheIdentity) {
  EXPECT_EQ(products_of_active(frontier(true)), 1u);
  EXPECT_EQ(products_of_active(frontier(false)), 0u);
}

TEST(SemiNaive, LeavesAloneWhatForgets) {
  ProgramBuilder b = builder();
  const ValueId x = b.live_in(kSpace0), y = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x, y}, [&](const Values& in) {
    const ValueId product = b.mxv(0, in[0], kSpace0, kMax);
    return Values{b.element(larger(), {y, product}), b.element(larger(), {in[1], b.mxvt(0, in[0], kSpace0, kMax)})};
  });
  b.live_out(result[0]);
  b.live_out(result[1]);
  EXPECT_EQ(products_of_active(b), 0u) << "neither vector keeps what it was and reads itself";
}

TEST(SemiNaive, LeavesAloneWhatOthersRead) {
  ProgramBuilder b = builder();
  const ValueId x = b.live_in(kSpace0), y = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x, y}, [&](const Values& in) {
    const ValueId product = b.mxv(0, in[0], kSpace0, kMax);
    return Values{b.element(larger(), {in[0], product}), b.element(mix(), {product, in[1]})};
  });
  b.live_out(result[0]);
  b.live_out(result[1]);
  EXPECT_EQ(products_of_active(b), 0u);
}

TEST(SemiNaive, LeavesAloneWhatChangesWithMore) {
  ProgramBuilder b = builder();
  const ValueId x = b.live_in(kSpace0), y = b.live_in(kSpace0);
  const Values result = b.repeat(4, {x, y}, [&](const Values& in) {
    const ValueId shown = b.element(mix(), {in[0], in[1]});
    return Values{b.element(larger(), {in[0], b.mxv(0, shown, kSpace0, kMax)}), b.element(mix(), {in[1]})};
  });
  b.live_out(result[0]);
  EXPECT_EQ(products_of_active(b), 0u);
}

TEST(SemiNaive, LeavesAloneSumsAndWhatIsSwitchedOff) {
  ProgramBuilder sums = builder();
  const ValueId x = sums.live_in(kSpace0);
  sums.live_out(sums.repeat(4, {x}, [&](const Values& in) {
    return Values{sums.element(add(), {in[0], sums.mxv(0, in[0], kSpace0, kPlus)})};
  })[0]);
  EXPECT_EQ(products_of_active(sums), 0u);

  ProgramBuilder b = builder();
  const ValueId y = b.live_in(kSpace0);
  b.live_out(b.repeat(4, {y}, [&](const Values& in) {
    return Values{b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)})};
  })[0]);
  Options off;
  off.passes_off = {"semi-naive"};
  EXPECT_EQ(products_of_active(expect_right(b, small_world(3), off)), 0u);
}

TEST(SemiNaive, CostsWhatIsPushedInSymbols) {
  ProgramBuilder b = builder();
  const ValueId x = b.live_in(kSpace0);
  b.live_out(b.repeat(4, {x}, [&](const Values& in) {
    return Values{b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)})};
  })[0]);
  const World world = small_world(3);
  const PlacementStats stats = world.stats();
  Options options;
  options.passes_off = {"delta-loops"};
  const Plan plan = optimize(b.program, stats, options, {});
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep == nullptr || active_of(*sweep) == kNone<ValueId>) return;
    const StepFormulas formulas = active_formulas_of(plan, step, stats);
    EXPECT_EQ(formulas.bytes_read.text(stats), "2N0 + 2S0_row0 + 16A + 12E");
    EXPECT_EQ(formulas.bytes_written.text(stats), "8E");
    EXPECT_EQ(formulas.elements_initialised.text(stats), "N0 + S0_col0");
    EXPECT_EQ(formulas.bytes_sent.text(stats), "8P(P-1)");
    EXPECT_EQ(step.active.element.bytes_read, 16u);
    EXPECT_EQ(step.active.entry.bytes_read, 12u);
    EXPECT_EQ(step.active.run.bytes_read, evaluate(formulas, stats).bytes_read);
  });
}

}  // namespace
}  // namespace kasen::optimizer::tests
