/// @file
/// Queries of TPC-H, over columns of its tables, with the parameters of the specification's validation runs as
/// defaults. All are collective, and give the same rows to every worker. Money is in doubles, dates are days (day_of).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kasen/kasen.h"

namespace apps {

/// Query 1: what items that were shipped up to a day cost, by what became of them.
struct PricedItems {
  kasen::WordColumn flag, status;
  kasen::Vector<std::int32_t> shipped;
  kasen::Vector<double> quantity, price, discount, tax;
};
struct PricingRow {
  std::string flag, status;
  double quantity, price, discounted, charged;  ///< sums
  double mean_quantity, mean_price, mean_discount;
  std::int64_t count;
};
std::vector<PricingRow> pricing_summary(const PricedItems& items, std::int32_t last = kasen::day_of(1998, 9, 2));

/// Query 6: what would have been earned without the discounts of small orders in a year.
struct DiscountedItems {
  kasen::Vector<std::int32_t> shipped;
  kasen::Vector<double> quantity, price, discount;
};
/// Days are of [first, end), discounts of [least, most], quantities below `quantity`. Bounds are the doubles that files
/// have: 0.06 + 0.01 is less than 0.07.
struct ForecastRange {
  std::int32_t first = kasen::day_of(1994, 1, 1), end = kasen::day_of(1995, 1, 1);
  double least = 0.05, most = 0.07, quantity = 24;
};
double revenue_forecast(const DiscountedItems& items, const ForecastRange& range = {});

/// Query 3: the orders of a segment's customers that would earn most of those that were not shipped on a day.
struct CustomerSegments {
  kasen::Vector<std::int64_t> key;
  kasen::WordColumn segment;
};
struct PlacedOrders {
  kasen::Vector<std::int64_t> key, customer;
  kasen::Vector<std::int32_t> placed;
  kasen::Vector<std::int64_t> priority;
};
struct OrderedItems {
  kasen::Vector<std::int64_t> order;
  kasen::Vector<std::int32_t> shipped;
  kasen::Vector<double> price, discount;
};
struct UnshippedOrder {
  double revenue;
  std::int64_t order, priority;
  std::int32_t placed;
  /// What comes first: the larger revenue, then the earlier day.
  bool operator>(const UnshippedOrder& other) const {
    return revenue > other.revenue || (revenue == other.revenue && placed < other.placed);
  }
};
std::vector<UnshippedOrder> shipping_priority(const CustomerSegments& customers, const PlacedOrders& orders,
                                              const OrderedItems& items, const std::string& segment = "BUILDING",
                                              std::int32_t day = kasen::day_of(1995, 3, 15));

/// Query 12: of how many urgent and other orders items were received late in a year, by how they were shipped.
struct PrioritisedOrders {
  kasen::Vector<std::int64_t> key;
  kasen::WordColumn priority;
};
struct ShippedItems {
  kasen::Vector<std::int64_t> order;
  kasen::WordColumn mode;
  kasen::Vector<std::int32_t> shipped, committed, received;
};
struct ModeRow {
  std::string mode;
  std::int64_t high, low;
};
std::vector<ModeRow> shipping_modes(const PrioritisedOrders& orders, const ShippedItems& items,
                                    const std::array<std::string, 2>& modes = {"MAIL", "SHIP"},
                                    std::int32_t first = kasen::day_of(1994, 1, 1),
                                    std::int32_t end = kasen::day_of(1995, 1, 1));

}  // namespace apps
