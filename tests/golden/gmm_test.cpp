/// @file
/// The plan of a mixture of Gaussians: an iteration is one sweep over the points, which reads and writes what is
/// derived here from the sizes, and exchanges what is as large as the components.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/gmm.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kPoints = 700, kColumns = 3, kComponents = 4, kRow = 1 + 2 * kColumns;

TEST(GaussianMixture, IsOneSweepOverThePointsAnIteration) {
  Session session(quiet_options());
  const Space space(kPoints);
  const BlockRange mine = block_of(space);
  std::vector<double> values;
  for (std::uint64_t at = 0; at < mine.count * kColumns; ++at)
    values.push_back(random_unit(7, static_cast<std::uint64_t>(mine.first) * kColumns + at));
  std::vector<double> means;
  for (std::uint64_t at = 0; at < kComponents * kColumns; ++at) means.push_back(random_unit(8, at));
  apps::Mixing mixing;
  mixing.stopping.iterations = 3;
  const apps::Mixture mixture = apps::gmm(make_rows(space, kColumns, values), means, mixing);
  EXPECT_EQ(mixture.components.means.size(), means.size());

  const auto loops = outer_loops(session);
  ASSERT_EQ(loops.size(), 1u);
  const auto workers = static_cast<std::uint64_t>(session.workers());
  std::size_t over_points = 0, exchanges = 0;
  for (const optimizer::Step& step : loops[0]->body) {
    if (std::holds_alternative<optimizer::Exchange>(step.what)) ++exchanges;
    if (!std::holds_alternative<optimizer::Sweep>(step.what)) continue;
    const std::uint64_t points = kPoints * kColumns * sizeof(double);
    const std::uint64_t small =
        workers * 4 * kRow * kComponents * sizeof(double);  // what all workers hold of components
    if (step.stream.bytes_read >= points) {
      ++over_points;
      EXPECT_LE(step.stream.bytes_read, points + small);
    }
    EXPECT_LE(step.stream.bytes_written, small);
  }
  EXPECT_EQ(over_points, 1u);
  EXPECT_LE(exchanges, 3u) << "sums of what belongs to components; components; their coefficients";
  expect_counts_as_predicted(session);
}

}  // namespace
}  // namespace kasen::tests
