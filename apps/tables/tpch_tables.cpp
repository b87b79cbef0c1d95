#include "apps/tables/tpch_tables.h"

namespace apps {

namespace {

constexpr auto kInteger = kasen::ColumnType::integer;
constexpr auto kNumber = kasen::ColumnType::number;
constexpr auto kDate = kasen::ColumnType::date;
constexpr auto kWord = kasen::ColumnType::word;

kasen::Columns lineitem(const std::string& folder, const std::vector<kasen::WantedColumn>& wanted) {
  return kasen::read_columns(folder + "/lineitem.csv", wanted);
}
kasen::Columns orders(const std::string& folder, const std::vector<kasen::WantedColumn>& wanted) {
  return kasen::read_columns(folder + "/orders.csv", wanted);
}

}  // namespace

PricedItems read_priced_items(const std::string& folder) {
  const auto t = lineitem(folder, {{"l_returnflag", kWord},
                                   {"l_linestatus", kWord},
                                   {"l_shipdate", kDate},
                                   {"l_quantity", kNumber},
                                   {"l_extendedprice", kNumber},
                                   {"l_discount", kNumber},
                                   {"l_tax", kNumber}});
  return {t.words("l_returnflag"),      t.words("l_linestatus"), t.dates("l_shipdate"), t.numbers("l_quantity"),
          t.numbers("l_extendedprice"), t.numbers("l_discount"), t.numbers("l_tax")};
}

DiscountedItems read_discounted_items(const std::string& folder) {
  const auto t = lineitem(
      folder, {{"l_shipdate", kDate}, {"l_quantity", kNumber}, {"l_extendedprice", kNumber}, {"l_discount", kNumber}});
  return {t.dates("l_shipdate"), t.numbers("l_quantity"), t.numbers("l_extendedprice"), t.numbers("l_discount")};
}

CustomerSegments read_customer_segments(const std::string& folder) {
  const auto t = kasen::read_columns(folder + "/customer.csv", {{"c_custkey", kInteger}, {"c_mktsegment", kWord}});
  return {t.integers("c_custkey"), t.words("c_mktsegment")};
}

PlacedOrders read_placed_orders(const std::string& folder) {
  const auto t =
      orders(folder,
             {{"o_orderkey", kInteger}, {"o_custkey", kInteger}, {"o_orderdate", kDate}, {"o_shippriority", kInteger}});
  return {t.integers("o_orderkey"), t.integers("o_custkey"), t.dates("o_orderdate"), t.integers("o_shippriority")};
}

OrderedItems read_ordered_items(const std::string& folder) {
  const auto t = lineitem(
      folder, {{"l_orderkey", kInteger}, {"l_shipdate", kDate}, {"l_extendedprice", kNumber}, {"l_discount", kNumber}});
  return {t.integers("l_orderkey"), t.dates("l_shipdate"), t.numbers("l_extendedprice"), t.numbers("l_discount")};
}

PrioritisedOrders read_prioritised_orders(const std::string& folder) {
  const auto t = orders(folder, {{"o_orderkey", kInteger}, {"o_orderpriority", kWord}});
  return {t.integers("o_orderkey"), t.words("o_orderpriority")};
}

ShippedItems read_shipped_items(const std::string& folder) {
  const auto t = lineitem(folder, {{"l_orderkey", kInteger},
                                   {"l_shipmode", kWord},
                                   {"l_shipdate", kDate},
                                   {"l_commitdate", kDate},
                                   {"l_receiptdate", kDate}});
  return {t.integers("l_orderkey"), t.words("l_shipmode"), t.dates("l_shipdate"), t.dates("l_commitdate"),
          t.dates("l_receiptdate")};
}

}  // namespace apps
