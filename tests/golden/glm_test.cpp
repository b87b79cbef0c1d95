/// @file
/// The plan of generalised linear models: the equations of an iteration and its scores are one pass over the samples
/// each, and a step of conjugate gradients one over dense samples, and two over sparse ones, which the exact search
/// joins on several workers.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/glm.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 500, kFeatures = 20;

std::size_t passes(const std::vector<optimizer::Step>& steps) {
  std::size_t count = 0;
  for (const optimizer::Step& step : steps) {
    const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
    if (sweep != nullptr && sweep->matrix != kNone<MatrixId>) ++count;
  }
  return count;
}

/// @param each non-zeros of a sample
void expect_passes(Fusion fusion, std::uint64_t each) {
  Options options = each == kFeatures ? quiet_options() : compressed_rows();
  options.fusion = fusion;
  Session session(options);
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const auto X = matrix_of(kSamples, kFeatures, each * kSamples, [each](std::uint64_t k) -> Entry<double> {
    return {static_cast<GlobalIndex>(k / each), static_cast<GlobalIndex>(k * 7 % kFeatures), random_unit(3, k)};
  });
  const Vector<double> targets = map(KASEN_FN((auto i), cast<double>(i % 4)), iota(X.rows()));
  apps::GlmSettings settings;
  settings.stopping.iterations = 3;
  const apps::GlmFit fit = apps::glm({X, targets, apps::Family::poisson, apps::Link::log, 0, false}, settings);
  EXPECT_LT(fit.deviance.get(), 2.0 * kSamples);

  const auto loops = outer_loops(session);
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(passes(loops[0]->body), 2u) << "equations, and scores";
  const std::size_t a_step = each == kFeatures || (fusion == Fusion::exact && workers > 1) ? 1 : 2;
  std::vector<std::size_t> inner;
  for (const optimizer::Step& step : loops[0]->body) {
    if (const auto* loop = std::get_if<optimizer::Loop>(&step.what)) inner.push_back(passes(loop->body));
  }
  EXPECT_EQ(inner, (std::vector<std::size_t>{a_step, 0})) << "conjugate gradients, and halves of steps";
  expect_counts_as_predicted(session);
}

TEST(GeneralisedLinearModel, TakesTwoPassesAStep) { expect_passes(Fusion::greedy, 4); }
TEST(GeneralisedLinearModel, TakesOnePassAStepByTheExactSearch) { expect_passes(Fusion::exact, 4); }
TEST(GeneralisedLinearModel, TakesOnePassAStepOverDenseSamples) { expect_passes(Fusion::greedy, kFeatures); }

}  // namespace
}  // namespace kasen::tests
