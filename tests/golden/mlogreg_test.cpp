/// @file
/// The plan of multinomial logistic regression: a step of conjugate gradients, and each weights that are tried, are one
/// sweep over the samples, which reads what is derived here from the sizes.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/mlogreg.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 900, kFeatures = 3, kClasses = 4;

TEST(MultinomialRegression, IsOneSweepOverTheSamplesForEachProductAndTrial) {
  Session session(quiet_options());
  const Space samples(kSamples);
  const BlockRange mine = block_of(samples);
  std::vector<double> values;
  for (std::uint64_t at = 0; at < mine.count * kFeatures; ++at)
    values.push_back(random_unit(7, static_cast<std::uint64_t>(mine.first) * kFeatures + at));
  const auto label = map([](GlobalIndex i) { return static_cast<std::int32_t>(i % kClasses); }, iota(samples));
  apps::NewtonSettings settings;
  settings.stopping.iterations = 2;
  const apps::ClassFit fit =
      apps::mlogreg({{make_rows(samples, kFeatures, values)}, label, kClasses, 1, false}, settings);
  EXPECT_LT(fit.gradient.get(), 1e-3);

  const auto loops = inner_loops(session);
  ASSERT_EQ(loops.size(), 2u) << "conjugate gradients, and trials";
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const std::uint64_t small = workers * 8 * kFeatures * kClasses * sizeof(double);
  // Both read the samples; the first reads probabilities, and the second labels, and writes probabilities.
  const std::uint64_t features = kSamples * kFeatures * 8, shares = kSamples * kClasses * 8;
  const std::uint64_t read[] = {features + shares, features + kSamples * 4}, written[] = {0, shares};
  for (std::size_t which = 0; which < loops.size(); ++which) {
    std::size_t over_samples = 0;
    for (const optimizer::Step& step : loops[which]->body) {
      if (!std::holds_alternative<optimizer::Sweep>(step.what) || step.stream.bytes_read < kSamples * 4) continue;
      ++over_samples;
      EXPECT_GE(step.stream.bytes_read, read[which]);
      EXPECT_LE(step.stream.bytes_read, read[which] + small);
      EXPECT_GE(step.stream.bytes_written, written[which]);
      EXPECT_LE(step.stream.bytes_written, written[which] + small);
    }
    EXPECT_EQ(over_samples, 1u) << which;
  }
  expect_counts_as_predicted(session);
}

}  // namespace
}  // namespace kasen::tests
