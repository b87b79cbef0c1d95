/// @file
/// Loops whose iterations may visit only what has changed: where plans find them, and where not.
#include <gtest/gtest.h>

#include "optimizer/cost/formulas.h"
#include "optimizer/optimize.h"
#include "optimizer/plan/step_tools.h"
#include "optimizer/sweeps/delta_loops.h"
#include "tests/optimizer/plan_queries.h"
#include "tests/optimizer/simulator.h"

namespace kasen::optimizer::tests {
namespace {

using Values = ProgramBuilder::Values;

ProgramBuilder builder() {
  ProgramBuilder b;
  b.know_extrema();
  b.program.reducers[index_of(kMax)].exact = true;
  return b;
}

/// Of plans for 1 and 3 workers, which compute what the program says.
std::size_t delta_loops(const ProgramBuilder& b, const Options& options = {}) {
  const std::size_t alone = count_delta_loops(expect_right(b, small_world(1), options));
  EXPECT_EQ(count_delta_loops(expect_right(b, small_world(3), options)), alone);
  return alone;
}

/// x = max(x, products of x), and what `more` makes of it: the loop's further yields.
ProgramBuilder spreading(const std::function<Values(ProgramBuilder& b, const Values& in, ValueId next)>& more,
                         bool both_directions = false) {
  ProgramBuilder b = builder();
  const Values result = b.repeat(4, {b.live_in(kSpace0), b.live_in(kSpace0)}, [&](const Values& in) {
    ValueId product = b.mxv(0, in[0], kSpace0, kMax);
    if (both_directions) product = b.element(larger(), {product, b.mxvt(0, in[0], kSpace0, kMax)});
    const ValueId next = b.element(larger(), {in[0], product});
    Values yields{next};
    for (const ValueId value : more(b, in, next)) yields.push_back(value);
    return yields;
  });
  for (const ValueId value : result) b.live_out(value);
  return b;
}

TEST(DeltaLoops, AreProductsAndElementWorkOnWhatIsCarried) {
  for (const bool both : {false, true}) {
    const auto alone = [](ProgramBuilder&, const Values& in, ValueId) { return Values{in[1]}; };
    EXPECT_EQ(delta_loops(spreading(alone, both)), 1u);
    const auto beside = [](ProgramBuilder& b, const Values& in, ValueId next) {
      return Values{b.element(mix(), {in[1], next})};
    };
    EXPECT_EQ(delta_loops(spreading(beside, both)), 1u);
    Options off;
    off.passes_off = {"delta-loops"};
    EXPECT_EQ(delta_loops(spreading(alone, both), off), 0u);
  }
}

TEST(DeltaLoops, ReplaceTheArgumentsOfTheLoop) {
  const ProgramBuilder b = spreading([](ProgramBuilder& p, const Values& in, ValueId next) {
    return Values{p.element(mix(), {in[1], next})};
  });
  const Plan plan = expect_right(b, small_world(3), {});
  for (const Sweep* sweep : all<Sweep>(plan)) {
    if (!sweep->delta) continue;
    EXPECT_EQ(sweep->delta->products.size(), 1u);
    EXPECT_EQ(sweep->delta->carried.size(), 3u) << "both vectors, and what is active";
    for (const DeltaUpdate::Carried& carried : sweep->delta->carried)
      EXPECT_EQ(place_of(*sweep, carried.out).replaces, carried.argument);
  }
}

TEST(DeltaLoops, AreNotWhereElementWorkReadsWhatChangesByItself) {
  // The second vector's old value is kept in a third.
  ProgramBuilder b = builder();
  const Values result =
      b.repeat(4, {b.live_in(kSpace0), b.live_in(kSpace0), b.live_in(kSpace0)}, [&](const Values& in) {
        return Values{b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)}), b.element(mix(), {in[1], in[2]}),
                      in[1]};
      });
  for (const ValueId value : result) b.live_out(value);
  EXPECT_EQ(delta_loops(b), 0u);
}

TEST(DeltaLoops, AreNotWhereOthersWalkElementsToo) {
  ProgramBuilder b = builder();
  const Values result = b.repeat(4, {b.live_in(kSpace0), b.live_in(kSpace0)}, [&](const Values& in) {
    const ValueId shown = b.element(mix(), {in[1]});
    return Values{b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)}), b.mxv(0, shown, kSpace0, kPlus)};
  });
  for (const ValueId value : result) b.live_out(value);
  EXPECT_EQ(delta_loops(b), 0u);
}

/// The loop reduces the vector that it spreads to a Shared, which other element work may read.
std::size_t with_reduction(ReducerId reducer, bool reads_it, bool folds = false) {
  ProgramBuilder b = builder();
  const Values result = b.loop(
      {b.live_in(kSpace0), b.live_in(kSpace0), b.live_shared(), b.live_shared()},
      [&](Values& in) {
        return b.apply({"below", [](const Numbers&, const Numbers& shared) { return Number{shared[0] < 100'000}; }, {}},
                       {in[2]});
      },
      [&](const Values& in) {
        const ValueId next = b.element(larger(), {in[0], b.mxv(0, in[0], kSpace0, kMax)});
        const ValueId other = reads_it ? b.element(mix(), {in[1], next}, {in[3]}) : b.element(mix(), {in[1], next});
        const ValueId counted = b.apply(
            {"more", [](const Numbers&, const Numbers& shared) { return Number{shared[0] + 30'000}; }, {}}, {in[2]});
        return Values{next, other, counted, folds ? b.fold(reducer, mix(), {next}) : b.reduce(reducer, next)};
      });
  for (const ValueId value : result) b.live_out(value);
  return delta_loops(b);
}

TEST(DeltaLoops, ReduceWhatHasTheSameBitsInAnyOrderAndFollowNoShared) {
  EXPECT_EQ(with_reduction(kMax, false), 1u);
  EXPECT_EQ(with_reduction(kPlus, false), 0u) << "a sum might be rounded";
  EXPECT_EQ(with_reduction(kMax, true), 0u) << "all elements change with the Shared";
  EXPECT_EQ(with_reduction(kMax, false, true), 0u) << "a step takes up what is not visited, too";
}

TEST(DeltaLoops, CostWhatTheyVisitInSymbols) {
  const ProgramBuilder b = spreading([](ProgramBuilder&, const Values& in, ValueId) { return Values{in[1]}; });
  const World world = small_world(3);
  const PlacementStats stats = world.stats();
  const Plan plan = optimize(b.program, stats, {}, {});
  std::size_t seen = 0;
  for_each_step(plan.steps, [&](const Step& step) {
    const auto* sweep = std::get_if<Sweep>(&step.what);
    if (sweep == nullptr || !in_delta_loop(*sweep)) return;
    ++seen;
    const StepFormulas formulas = delta_formulas_of(plan, step, stats);
    if (sweep->delta) {
      EXPECT_EQ(formulas.bytes_read.text(stats), "8S0_col0 + 25A");
      EXPECT_EQ(formulas.bytes_written.text(stats), "9A");
      EXPECT_EQ(formulas.elements_initialised.text(stats), "A");
      EXPECT_EQ(formulas.bytes_sent.text(stats), "0");
    } else {
      EXPECT_EQ(formulas.bytes_read.text(stats), "2S0_row0 + 16A + 12E");
      EXPECT_EQ(formulas.bytes_written.text(stats), "8E");
      EXPECT_EQ(formulas.elements_initialised.text(stats), "S0_col0");
      EXPECT_EQ(formulas.bytes_sent.text(stats), "16P(P-1)");
    }
    EXPECT_EQ(step.delta.run.bytes_read, evaluate(formulas, stats).bytes_read);
  });
  EXPECT_EQ(seen, 2u);
}

}  // namespace
}  // namespace kasen::optimizer::tests
