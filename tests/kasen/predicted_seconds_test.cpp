/// @file
/// Predicted seconds of a session: what its steps take, and the memory that its plans have to get.
#include "kasen/session/predicted_seconds.h"

#include <gtest/gtest.h>

#include <vector>

namespace kasen {
namespace {

/// A step of 2 s, the first time of 3 s more, and one of 1 s.
optimizer::Plan plan_of(std::uint64_t buffer_bytes) {
  optimizer::Plan plan;
  plan.buffer_bytes = buffer_bytes;
  plan.steps.resize(2);
  for (optimizer::Step& step : plan.steps) step.what = optimizer::ScalarWork{};
  plan.steps[0].picoseconds = 2'000'000'000'000;
  plan.steps[0].fresh_picoseconds = 3'000'000'000'000;
  plan.steps[1].picoseconds = 1'000'000'000'000;
  return plan;
}

/// What a plan adds whose steps were entered so often.
double added(PredictedSeconds& predicted, const optimizer::Plan& plan, const std::vector<std::uint64_t>& entered) {
  const double before = predicted.all;
  predicted.begin(plan, entered[0]);
  predicted.add(entered, std::vector<Activity>(2));
  return predicted.all - before;
}

TEST(PredictedSeconds, CountNewMemoryOnce) {
  PredictedSeconds predicted(1);
  EXPECT_DOUBLE_EQ(added(predicted, plan_of(800), {10, 10}), 10 * 2 + 10 * 1 + 3);
}

TEST(PredictedSeconds, CountWhatEarlierPlansHaveNotGot) {
  PredictedSeconds predicted(1);
  added(predicted, plan_of(800), {1, 1});
  EXPECT_DOUBLE_EQ(added(predicted, plan_of(600), {1, 1}), 2 + 1);
  EXPECT_DOUBLE_EQ(added(predicted, plan_of(1600), {1, 1}), 2 + 1 + 1.5);
  EXPECT_DOUBLE_EQ(added(predicted, plan_of(1600), {1, 1}), 2 + 1);
}

TEST(PredictedSeconds, CountNothingOfPlansThatDidNotRun) {
  PredictedSeconds predicted(1);
  EXPECT_EQ(added(predicted, plan_of(800), {0, 0}), 0);
  EXPECT_DOUBLE_EQ(added(predicted, plan_of(800), {1, 0}), 2 + 3);
}

TEST(PredictedSeconds, TellVisitsInOrderFromThoseHereAndThere) {
  optimizer::Plan plan = plan_of(0);
  plan.steps[1].delta.element_picoseconds = 10'000'000'000'000;
  plan.steps[1].in_order_picoseconds = 1'000'000'000'000;
  Activity visits;
  visits.delta = {1, 50, 0};
  visits.in_order = 30;
  PredictedSeconds predicted(2);
  predicted.begin(plan, 1);
  EXPECT_DOUBLE_EQ(predicted.of(plan.steps[1], 1, visits), (20 * 10 + 30 * 1) / 2.0);
}

}  // namespace
}  // namespace kasen
