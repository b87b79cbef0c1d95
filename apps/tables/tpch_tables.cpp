#include "apps/tables/tpch_tables.h"

#include <filesystem>
#include <system_error>

namespace apps {

namespace {

constexpr auto kInteger = kasen::ColumnType::integer;
constexpr auto kNumber = kasen::ColumnType::number;
constexpr auto kDate = kasen::ColumnType::date;
constexpr auto kWord = kasen::ColumnType::word;

kasen::Columns read(const TableFile& file, const std::vector<kasen::WantedColumn>& wanted) {
  return kasen::read_columns(file.path, wanted, {}, file.names);
}
kasen::Columns lineitem(const std::string& folder, const std::vector<kasen::WantedColumn>& wanted) {
  return read(table_file(folder, TpchTable::lineitem), wanted);
}
kasen::Columns orders(const std::string& folder, const std::vector<kasen::WantedColumn>& wanted) {
  return read(table_file(folder, TpchTable::orders), wanted);
}

/// The columns of a table as the specification has them (clause 1.4); a separator ends each line.
kasen::TableNames names_of(TpchTable table) {
  switch (table) {
    case TpchTable::customer:
      return {
          '|',
          {"c_custkey", "c_name", "c_address", "c_nationkey", "c_phone", "c_acctbal", "c_mktsegment", "c_comment", ""}};
    case TpchTable::orders:
      return {'|',
              {"o_orderkey", "o_custkey", "o_orderstatus", "o_totalprice", "o_orderdate", "o_orderpriority", "o_clerk",
               "o_shippriority", "o_comment", ""}};
    case TpchTable::lineitem:
      return {'|',
              {"l_orderkey", "l_partkey", "l_suppkey", "l_linenumber", "l_quantity", "l_extendedprice", "l_discount",
               "l_tax", "l_returnflag", "l_linestatus", "l_shipdate", "l_commitdate", "l_receiptdate", "l_shipinstruct",
               "l_shipmode", "l_comment", ""}};
  }
  return {};
}

const char* name_of(TpchTable table) {
  return table == TpchTable::customer ? "customer" : table == TpchTable::orders ? "orders" : "lineitem";
}

}  // namespace

TableFile table_file(const std::string& folder, TpchTable table) {
  const std::string path = folder + "/" + name_of(table);
  std::error_code none;
  if (!std::filesystem::exists(path + ".csv", none) && std::filesystem::exists(path + ".tbl", none))
    return {path + ".tbl", names_of(table)};
  return {path + ".csv", {}};
}

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
  const auto t = read(table_file(folder, TpchTable::customer), {{"c_custkey", kInteger}, {"c_mktsegment", kWord}});
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
