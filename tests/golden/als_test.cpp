/// @file
/// The plan of alternating least squares: a step of conjugate gradients is one pass over the ratings, which reads and
/// sends what is derived here from the sizes, and one over factors.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "apps/learn/als.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kUsers = 60, kItems = 40, kRatings = 300, kRank = 6;
constexpr std::uint64_t kFactor = kRank * sizeof(double);

Entry<double> rating(std::uint64_t k) {
  return {static_cast<GlobalIndex>(k * 37 % kUsers), static_cast<GlobalIndex>(k * 23 % kItems),
          1 + static_cast<double>(k % 5)};
}

/// Loops in the bodies of others: those of conjugate gradients.
std::vector<const optimizer::Loop*> inner_loops(const std::vector<optimizer::Step>& steps, bool inside = false) {
  std::vector<const optimizer::Loop*> loops;
  for (const optimizer::Step& step : steps) {
    const auto* loop = std::get_if<optimizer::Loop>(&step.what);
    if (loop == nullptr) continue;
    if (inside) loops.push_back(loop);
    for (const optimizer::Loop* inner : inner_loops(loop->body, true)) loops.push_back(inner);
  }
  return loops;
}

TEST(AlternatingLeastSquares, IsOnePassOverTheRatingsAStep) {
  Options options;
  options.quiet = true;
  options.partition = Partition::row;
  options.storage = Storage::compressed;
  Session session(options);
  std::vector<Entry<double>> mine;
  const auto workers = static_cast<std::uint64_t>(session.workers());
  for (auto k = static_cast<std::uint64_t>(session.rank()); k < kRatings; k += workers) mine.push_back(rating(k));
  const auto X = make_matrix<double>(separate_space(kUsers, "users"), separate_space(kItems, "items"), mine);
  apps::Factoring factoring;
  factoring.rank = kRank;
  factoring.stopping.iterations = 3;
  const apps::Factors factors = apps::als(X, factoring);
  EXPECT_LT(factors.squares.get(), static_cast<double>(kRatings));
  EXPECT_EQ(factors.users.get().size(), kUsers * kRank);

  std::vector<const optimizer::Loop*> loops;
  for (const auto& record : session.engine().plans()) {
    for (const optimizer::Loop* loop : inner_loops(record->plan.steps)) loops.push_back(loop);
  }
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
  const RunCounts counts = session.counts();
  for (const auto& field : Counts::fields())
    EXPECT_EQ(counts.predicted.*field.member, counts.measured.*field.member) << field.name;
}

}  // namespace
}  // namespace kasen::tests
