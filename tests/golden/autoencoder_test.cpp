/// @file
/// The plan of an autoencoder's training: a step is one sweep over the samples of its batch, and no others, which
/// writes nothing as long as they are. Exchanged is what is as large as the weights.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/autoencoder.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 60'000, kColumns = 5, kBatch = 6'000, kFirst = 4, kSecond = 2;

TEST(Autoencoder, AStepReadsItsBatchAlone) {
  Session session(quiet_options());
  const Space space(kSamples);
  const BlockRange mine = block_of(space);
  std::vector<double> values;
  for (std::uint64_t at = 0; at < mine.count * kColumns; ++at)
    values.push_back(random_unit(7, static_cast<std::uint64_t>(mine.first) * kColumns + at));
  apps::Descent descent;
  descent.batch = kBatch, descent.epochs = 2;
  const apps::Trained trained =
      apps::autoencoder(make_rows(space, kColumns, values), {{kFirst, kSecond}, apps::Activation::tanh}, descent);
  EXPECT_EQ(trained.weights.size(), 4u);
  EXPECT_EQ(session.counts().iterations, 2 * kSamples / kBatch);

  const auto loops = outer_loops(session);
  ASSERT_EQ(loops.size(), 1u);
  std::size_t over_samples = 0, exchanges = 0;
  std::uint64_t written = 0;
  const std::uint64_t samples = kBatch * (kColumns + 1) * sizeof(double);
  for (const optimizer::Step& step : loops[0]->body) {
    if (std::holds_alternative<optimizer::Exchange>(step.what)) ++exchanges;
    if (!std::holds_alternative<optimizer::Sweep>(step.what)) continue;
    written += step.stream.bytes_written;
    if (step.stream.bytes_read < samples) continue;
    ++over_samples;
    EXPECT_LT(step.stream.bytes_read, samples + samples / 10);
  }
  EXPECT_EQ(over_samples, 1u);
  EXPECT_LT(written, samples / 10);
  EXPECT_LE(exchanges, 4u) << "gradients and the objective; weights; their transposes";
  expect_counts_as_predicted(session);
}

}  // namespace
}  // namespace kasen::tests
