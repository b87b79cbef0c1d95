/// @file
/// The plan of ridge regression: whatever the number of folds and penalties, one pass over the samples for their mean
/// and one for the products of all folds, which write nothing as long as the samples and end in one exchange each.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "apps/common/known_values.h"
#include "apps/learn/ridge.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kSamples = 700, kNumbers = 3, kWords = 4, kFields = kNumbers + 2;
constexpr std::uint64_t kPacked = (kNumbers + kWords + 2) * (kNumbers + kWords + 3) / 2;

double field(std::uint64_t sample, std::uint64_t column) {
  if (column == kNumbers) return static_cast<double>(sample * 7 % kWords);
  return random_unit(column, sample);
}

struct Found {
  std::size_t over_samples = 0, exchanges = 0, steps = 0;
  std::uint64_t sent = 0, workers = 1;
};

/// What the plans of all folds and penalties are.
Found found(std::uint64_t folds, std::size_t penalties) {
  Session session(quiet_options());
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const Space samples(kSamples);
  const BlockRange mine = block_of(samples);
  std::vector<double> fields;
  for (std::uint64_t k = 0; k < mine.count; ++k)
    for (std::uint64_t c = 0; c < kFields; ++c) fields.push_back(field(static_cast<std::uint64_t>(mine.first) + k, c));
  const std::vector<double> layout{kNumbers, kNumbers};
  const apps::EncodedTable table{samples, make_rows(samples, kFields, fields), apps::known_vector(Space(2), layout),
                                 std::vector<std::string>(kNumbers + kWords)};
  const apps::FoldProducts products = apps::fold_products(table, folds, 1);
  EXPECT_EQ(products.sums.size(), folds);
  const apps::RidgeFit fit = apps::ridge(products, {std::vector<double>(penalties, 1.0), false});
  EXPECT_EQ(fit.errors.size(), penalties);
  EXPECT_NEAR(fit.errors[0], 1.0 / 12, 0.01) << "the variance of a target that nothing explains";

  Found found;
  found.workers = workers;
  const std::uint64_t as_long = kSamples * kFields * sizeof(double);
  const std::uint64_t small = workers * sizeof(double) * (folds * kPacked + 3 * kFields + 3 * (kNumbers + kWords));
  for (const auto& record : session.engine().plans()) {
    for (const optimizer::Step& step : record->plan.steps) {
      ++found.steps;
      if (std::holds_alternative<optimizer::Exchange>(step.what)) ++found.exchanges;
      found.sent += step.stream.bytes_sent;
      if (!std::holds_alternative<optimizer::Sweep>(step.what)) continue;
      EXPECT_LE(step.stream.bytes_written, small);
      if (step.stream.bytes_read < as_long) continue;
      EXPECT_LE(step.stream.bytes_read, as_long + small);
      ++found.over_samples;
    }
  }
  expect_counts_as_predicted(session);
  return found;
}

TEST(RidgeRegression, IsOnePassForAllFoldsAndPenalties) {
  const Found few = found(2, 1), folds = found(10, 1), penalties = found(2, 20);
  for (const Found& one : {few, folds, penalties}) {
    EXPECT_EQ(one.over_samples, 2u) << "for the mean, and for the products";
    EXPECT_EQ(one.steps, few.steps);
    EXPECT_EQ(one.exchanges, few.exchanges);
  }
  EXPECT_LE(few.exchanges, 4u) << "of what is small: the layout, the sum and the mean; and of products";
  EXPECT_EQ(few.sent, penalties.sent);
  EXPECT_EQ(folds.sent - few.sent, 8 * kPacked * sizeof(double) * (few.workers - 1)) << "8 folds more";
}

}  // namespace
}  // namespace kasen::tests
