/// @file
/// The plans of queries over tables: one pass over the items that reads each of their columns once and stores nothing
/// as long as they are, and one exchange of a few sums; and what these read, write and send, derived from the sizes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/tables/queries.h"
#include "kasen/session/engine.h"
#include "optimizer/plan/plan.h"
#include "tests/golden/planned.h"

namespace kasen::tests {
namespace {

constexpr std::uint64_t kItems = 700, kGroups = 6;

template <class F>
auto column(const F& f) {
  const BlockRange mine = block_of(kItems);
  std::vector<decltype(f(std::uint64_t{}))> values;
  for (std::uint64_t k = 0; k < mine.count; ++k) values.push_back(f(static_cast<std::uint64_t>(mine.first) + k));
  return make_vector(kItems, values);
}
Dictionary dictionary(const std::vector<std::string>& ascending) {
  io::Words words;
  for (const std::string& word : ascending) words.push_back(word);
  return Dictionary(words);
}

double quantity(std::uint64_t k) { return static_cast<double>(1 + k * 7 % 50); }
double price(std::uint64_t k) { return static_cast<double>(1000 + k * 37 % 997); }
double discount(std::uint64_t k) { return static_cast<double>(k * 5 % 11) / 100; }
double tax(std::uint64_t k) { return static_cast<double>(k * 3 % 9) / 100; }
std::int32_t shipped(std::uint64_t k) { return day_of(1993, 7, 1) + static_cast<std::int32_t>(k * 11 % 2100); }
std::int32_t flag(std::uint64_t k) { return static_cast<std::int32_t>(k % 3); }
std::int32_t status(std::uint64_t k) { return static_cast<std::int32_t>(k / 3 % 2); }

struct Found {
  std::vector<Counts> sweeps, exchanges;
};

Found found_in(Session& session) {
  Found found;
  for (const optimizer::Step& step : session.engine().plans().back()->plan.steps) {
    if (std::holds_alternative<optimizer::Sweep>(step.what)) found.sweeps.push_back(step.stream);
    if (std::holds_alternative<optimizer::Exchange>(step.what)) found.exchanges.push_back(step.stream);
  }
  return found;
}

TEST(PricingSummary, IsOnePassOverTheItemsAndOneExchange) {
  Session session(quiet_options());
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const apps::PricedItems items{{column(flag), dictionary({"A", "N", "R"})},
                                {column(status), dictionary({"F", "O"})},
                                column(shipped),
                                column(quantity),
                                column(price),
                                column(discount),
                                column(tax)};
  const auto rows = apps::pricing_summary(items);
  ASSERT_EQ(rows.size(), kGroups);
  for (std::size_t g = 0; g < kGroups; ++g) {
    double charged = 0, of_quantity = 0;
    std::int64_t count = 0;
    for (std::uint64_t k = 0; k < kItems; ++k) {
      if (shipped(k) > day_of(1998, 9, 2) || static_cast<std::size_t>(flag(k) * 2 + status(k)) != g) continue;
      charged += price(k) * (1 - discount(k)) * (1 + tax(k)), of_quantity += quantity(k), ++count;
    }
    const std::string words{"ANR"[g / 2], "FO"[g % 2]};
    EXPECT_EQ(rows[g].flag + rows[g].status, words);
    EXPECT_EQ(rows[g].count, count);
    EXPECT_EQ(rows[g].quantity, of_quantity);
    EXPECT_NEAR(rows[g].charged, charged, 1e-12 * charged);
  }

  const Found found = found_in(session);
  ASSERT_EQ(found.sweeps.size(), 1u);
  EXPECT_EQ(found.sweeps[0].bytes_read, (3 * 4 + 4 * 8) * kItems);
  EXPECT_EQ(found.sweeps[0].bytes_written, 0u);
  ASSERT_EQ(found.exchanges.size(), 1u);
  EXPECT_EQ(found.exchanges[0].bytes_sent, 6 * 8 * kGroups * workers * (workers - 1));
  expect_counts_as_predicted(session);
}

TEST(RevenueForecast, IsOnePassOverTheItems) {
  Session session(quiet_options());
  const auto workers = static_cast<std::uint64_t>(session.workers());
  const apps::DiscountedItems items{column(shipped), column(quantity), column(price), column(discount)};
  double expected = 0;
  for (std::uint64_t k = 0; k < kItems; ++k) {
    const bool in_year = shipped(k) >= day_of(1994, 1, 1) && shipped(k) < day_of(1995, 1, 1);
    const bool discounted = k * 5 % 11 >= 5 && k * 5 % 11 <= 7;
    if (in_year && discounted && quantity(k) < 24) expected += price(k) * discount(k);
  }
  EXPECT_GT(expected, 0);
  EXPECT_NEAR(apps::revenue_forecast(items), expected, 1e-12 * expected);

  const Found found = found_in(session);
  ASSERT_EQ(found.sweeps.size(), 1u);
  EXPECT_EQ(found.sweeps[0].bytes_read, (4 + 3 * 8) * kItems);
  EXPECT_EQ(found.sweeps[0].bytes_written, 0u);
  ASSERT_LE(found.exchanges.size(), 1u);
  const std::uint64_t sent = found.exchanges.empty() ? 0 : found.exchanges[0].bytes_sent;
  EXPECT_EQ(sent, 8 * workers * (workers - 1));
  expect_counts_as_predicted(session);
}

}  // namespace
}  // namespace kasen::tests
