/// @file
/// The plan of alternating least squares: a step of conjugate gradients is one pass over the ratings, which reads and
/// sends what is derived here from the sizes, and one over factors.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/als.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kUsers = 60, kItems = 40, kRatings = 300, kRank = 6;
constexpr std::uint64_t kFactor = kRank * sizeof(double);

Entry<double> rating(std::uint64_t k) {
  return {static_cast<GlobalIndex>(k * 37 % kUsers), static_cast<GlobalIndex>(k * 23 % kItems),
          1 + static_cast<double>(k % 5)};
}

TEST(AlternatingLeastSquares, IsOnePassOverTheRatingsAStep) {
  Session session(compressed_rows());
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const auto X = matrix_of(kUsers, kItems, kRatings, rating);
  apps::Factoring factoring;
  factoring.rank = kRank;
  factoring.stopping.iterations = 3;
  const apps::Factors factors = apps::als(X, factoring);
  EXPECT_LT(factors.squares.get(), static_cast<double>(kRatings));
  EXPECT_EQ(factors.users.get().size(), kUsers * kRank);

  const auto loops = inner_loops(session);  // of conjugate gradients
  ASSERT_EQ(loops.size(), 2u) << "of users and of items";
  for (const optimizer::Loop* loop : loops) {
    std::size_t passes = 0, others = 0;
    for (const optimizer::Step& step : loop->body) {
      const auto* sweep = std::get_if<optimizer::Sweep>(&step.what);
      if (sweep == nullptr) continue;
      if (sweep->matrix == kNone<MatrixId>) {
        ++others;
        continue;
      }
      ++passes;
      EXPECT_GE(step.stream.bytes_read, kRatings * (4 + 8 + kFactor)) << "index, value, and a factor";
      EXPECT_LE(step.stream.bytes_read, kRatings * (4 + 8 + kFactor) + workers * (kUsers + kItems) * (8 + 2 * kFactor));
    }
    EXPECT_EQ(passes, 1u);
    EXPECT_LE(others, 1u);
  }
  expect_counts_as_predicted(session);
}

}  // namespace
}  // namespace kasen::tests
