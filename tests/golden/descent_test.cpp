/// @file
/// The plan of stochastic gradient descent on samples of a sparse matrix: a step reads the non-zeros of its batch once,
/// however many batches there are, and exchanges what is as long as the weights.
#include <gtest/gtest.h>

#include <cstdint>

#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 3000, kFeatures = 40, kEach = 5, kBatch = 100, kSteps = 45;

Entry<double> entry(std::uint64_t k) {
  return {static_cast<GlobalIndex>(k / kEach), static_cast<GlobalIndex>(k * 7 % kFeatures), random_unit(3, k)};
}

TEST(Descent, AStepReadsTheNonzerosOfItsBatchOnce) {
  Session session(quiet_options());
  const auto X = batches(matrix_of(kSamples, kFeatures, kEach * kSamples, entry), kBatch);
  const auto y = batches(map(KASEN_FN((auto i), i % 3 == 0 ? 1.0 : -1.0), iota(kSamples)), kBatch);
  const auto slope = KASEN_FN((auto z, auto sign), -sign / (1 + kasen::exp(sign * z)));
  const auto step_by = KASEN_FN((auto w, auto g), w - 0.1 * g);
  Vector<double> w = constant(X.columns(), 0.0);
  Shared<std::uint64_t> step = 0;
  while_(likely([&] { return step < kSteps; }), [&] {
    const auto b = step % X.count();
    const Matrix<double> samples = batch(X, b);
    const Vector<double> slopes = zip_with(slope, multiply(samples, w), batch(y, b));
    w = zip_with(step_by, w, multiply_transposed(samples, slopes));
    ++step;
  });
  EXPECT_EQ(w.get().size(), kFeatures);
  EXPECT_EQ(session.counts().iterations, kSteps);
  EXPECT_EQ(session.engine().plans().size(), 2u) << "of the labels, and of all batches";

  const auto loops = outer_loops(session);
  ASSERT_EQ(loops.size(), 1u);
  std::size_t passes = 0, exchanges = 0;
  for (const optimizer::Step& step_of_plan : loops[0]->body) {
    if (std::holds_alternative<optimizer::Exchange>(step_of_plan.what)) ++exchanges;
    const auto* sweep = std::get_if<optimizer::Sweep>(&step_of_plan.what);
    if (sweep == nullptr || sweep->matrix == kNone<MatrixId>) continue;
    ++passes;
    EXPECT_EQ(sweep->launches.front().op, Op::mxvt);
    EXPECT_EQ(sweep->launches.back().op, Op::mxv);
    EXPECT_TRUE(sweep->launches.back().push);
    // By non-zero an index, a value, and the weight; it is added to the gradient, which is read and written.
    EXPECT_EQ(step_of_plan.active.entry.bytes_read, 4u + 8 + 8 + 8);
    EXPECT_EQ(step_of_plan.active.entry.bytes_written, 8u);
    // By sample a pointer, and its label.
    EXPECT_EQ(step_of_plan.active.run.bytes_read, kBatch * (8 + 8));
    EXPECT_EQ(step_of_plan.active.run.bytes_written, 0u);
  }
  EXPECT_EQ(passes, 1u);
  EXPECT_EQ(exchanges, 2u) << "the gradient and the weights";
  expect_counts_as_predicted(session);
}

}  // namespace
}  // namespace kasen::tests
