/// @file
/// The plan of support vector machines: an iteration is two passes over the samples, and a step of its line search one
/// sweep over two numbers a sample, which writes nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/svm.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 500, kFeatures = 20;

TEST(SupportVectorMachine, IsTwoPassesOverTheSamplesAnIteration) {
  Options options = quiet_options();
  options.partition = Partition::row;
  Session session(options);
  const auto X = matrix_of(kSamples, kFeatures, 4 * kSamples, [](std::uint64_t k) -> Entry<double> {
    return {static_cast<GlobalIndex>(k / 4), static_cast<GlobalIndex>(k * 7 % kFeatures), random_unit(3, k)};
  });
  const Vector<double> sign = map(KASEN_FN((auto i), i % 3 == 0 ? 1.0 : -1.0), iota(X.rows()));
  apps::Stopping stopping;
  stopping.iterations = 3;
  const apps::SvmFit fit = apps::svm({X, sign, 1, false}, stopping);
  EXPECT_LT(fit.objective.get(), static_cast<double>(kSamples));

  const auto loops = outer_loops(session);
  ASSERT_EQ(loops.size(), 1u);
  std::size_t passes = 0, searches = 0;
  for (const optimizer::Step& step : loops[0]->body) {
    const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
    if (sweep != nullptr && sweep->matrix != kNone<MatrixId>) ++passes;
    const auto* search = std::get_if<optimizer::Loop>(&step.what);
    if (search == nullptr) continue;
    ++searches;
    std::size_t sweeps = 0;
    for (const optimizer::Step& inner : search->body) {
      const auto* over = std::get_if<optimizer::Sweep>(&inner.what);
      if (over == nullptr) continue;
      ++sweeps;
      EXPECT_EQ(over->matrix, kNone<MatrixId>);
      EXPECT_EQ(inner.stream.bytes_read, kSamples * 16);
      EXPECT_EQ(inner.stream.bytes_written, 0u);
    }
    EXPECT_EQ(sweeps, 1u);
  }
  EXPECT_EQ(passes, 2u);
  EXPECT_EQ(searches, 1u);
  expect_counts_as_predicted(session);
}

}  // namespace
}  // namespace kasen::tests
