/// @file
/// The plan of support vector machines: an iteration is two passes over the samples, and a step of its line search one
/// sweep over two numbers a sample, which writes nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/svm.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 500, kFeatures = 20;

TEST(SupportVectorMachine, IsTwoPassesOverTheSamplesAnIteration) {
  Options options;
  options.quiet = true;
  options.partition = Partition::row;
  Session session(options);
  std::vector<Entry<double>> mine;
  const auto workers = static_cast<std::uint64_t>(session.workers());
  for (auto k = static_cast<std::uint64_t>(session.rank()); k < 4 * kSamples; k += workers)
    mine.push_back({static_cast<GlobalIndex>(k / 4), static_cast<GlobalIndex>(k * 7 % kFeatures), random_unit(3, k)});
  const auto X = make_matrix<double>(separate_space(kSamples, "samples"), separate_space(kFeatures, "features"), mine);
  const Vector<double> sign = map(KASEN_FN((auto i), i % 3 == 0 ? 1.0 : -1.0), iota(X.rows()));
  apps::Stopping stopping;
  stopping.iterations = 3;
  const apps::SvmFit fit = apps::svm({X, sign, 1, false}, stopping);
  EXPECT_LT(fit.objective.get(), static_cast<double>(kSamples));

  std::vector<const optimizer::Loop*> loops;
  for (const auto& record : session.engine().plans()) {
    for (const optimizer::Step& step : record->plan.steps) {
      if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) loops.push_back(loop);
    }
  }
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
  const RunCounts counts = session.counts();
  for (const auto& field : Counts::fields())
    EXPECT_EQ(counts.predicted.*field.member, counts.measured.*field.member) << field.name;
}

}  // namespace
}  // namespace kasen::tests
