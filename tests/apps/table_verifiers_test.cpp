/// @file
/// The verifiers of the queries over tables accept what the queries find, and nothing that differs from it.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/generate/tpch.h"
#include "apps/tables/tpch_tables.h"
#include "apps/tables/verify.h"
#include "kasen/session/engine.h"
#include "tests/io/temporary_directory.h"

namespace apps {
namespace {

class TableVerifiers : public testing::Test {
 protected:
  void SetUp() override {
    kasen::Options options;
    options.quiet = true;
    session.emplace(options);
    directory.emplace(kasen::workers::communicator());
    folder = directory->path("t");
    generate::write_tpch(kasen::workers::communicator(), folder, {.scale = 0.002, .seed = 3});
  }
  void TearDown() override {
    directory.reset();
    session.reset();
  }
  /// Each change of the rows is refused; so are rows that are left out, twice there, or exchanged.
  template <class Row>
  void expect_only(const std::function<bool(const std::vector<Row>&)>& holds, const std::vector<Row>& rows,
                   const std::vector<std::function<void(Row&)>>& changes) {
    ASSERT_GE(rows.size(), 2u);
    EXPECT_TRUE(holds(rows));
    for (const auto& change : changes) {
      std::vector<Row> wrong = rows;
      change(wrong[1]);
      EXPECT_FALSE(holds(wrong)) << &change - changes.data();
    }
    std::vector<Row> wrong(rows.begin(), rows.end() - 1);
    EXPECT_FALSE(holds(wrong));
    wrong.push_back(wrong[0]);
    EXPECT_FALSE(holds(wrong));
    wrong = rows;
    std::swap(wrong[0], wrong[1]);
    EXPECT_FALSE(holds(wrong));
    EXPECT_FALSE(holds({}));
  }

  std::optional<kasen::Session> session;
  std::optional<kasen::io::TemporaryDirectory> directory;
  std::string folder;
};

template <class Row>
std::function<void(Row&)> off(double Row::*member) {
  return [member](Row& row) { row.*member *= 1 + 2e-9; };
}

TEST_F(TableVerifiers, PricingSummary) {
  using Row = PricingRow;
  expect_only<Row>(
      [&](const auto& rows) { return holds_pricing_summary(folder, rows); }, pricing_summary(read_priced_items(folder)),
      {[](Row& row) { row.flag = "X"; }, [](Row& row) { row.status = "X"; }, off(&Row::quantity), off(&Row::price),
       off(&Row::discounted), off(&Row::charged), off(&Row::mean_quantity), off(&Row::mean_price),
       off(&Row::mean_discount), [](Row& row) { ++row.count; }, [](Row& row) { row.price = std::nan(""); }});
}

TEST_F(TableVerifiers, ShippingPriority) {
  using Row = UnshippedOrder;
  expect_only<Row>(
      [&](const auto& rows) { return holds_shipping_priority(folder, rows); },
      shipping_priority(read_customer_segments(folder), read_placed_orders(folder), read_ordered_items(folder)),
      {off(&Row::revenue), [](Row& row) { ++row.order; }, [](Row& row) { ++row.priority; },
       [](Row& row) { --row.placed; }, [](Row& row) { row.revenue = std::nan(""); }});
}

TEST_F(TableVerifiers, ShippingModes) {
  using Row = ModeRow;
  expect_only<Row>([&](const auto& rows) { return holds_shipping_modes(folder, rows); },
                   shipping_modes(read_prioritised_orders(folder), read_shipped_items(folder)),
                   {[](Row& row) { row.mode = "AIR"; }, [](Row& row) { ++row.high; }, [](Row& row) { --row.low; }});
}

TEST_F(TableVerifiers, RevenueForecast) {
  const double revenue = revenue_forecast(read_discounted_items(folder));
  EXPECT_TRUE(holds_revenue_forecast(folder, revenue));
  EXPECT_FALSE(holds_revenue_forecast(folder, revenue * (1 + 2e-9)));
  EXPECT_FALSE(holds_revenue_forecast(folder, std::nan("")));
  EXPECT_FALSE(holds_revenue_forecast(folder, 0));
}

}  // namespace
}  // namespace apps
