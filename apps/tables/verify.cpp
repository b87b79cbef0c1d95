#include "apps/tables/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>

#include "apps/tables/plain_columns.h"
#include "apps/tables/tpch_tables.h"

namespace apps {

namespace {

/// Dates compare as their texts do.
void for_each_row(const TableFile& table, const Fields& wanted, const std::function<void(const Fields&)>& take) {
  apps::for_each_row(table.path, table.names, wanted, take);
}

double number(const std::string& field) { return std::strtod(field.c_str(), nullptr); }

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); }

struct Sums {
  double quantity = 0, price = 0, discounted = 0, charged = 0, discount = 0;
  std::int64_t count = 0;
};

bool same(const PricingRow& row, const std::pair<const std::pair<std::string, std::string>, Sums>& group) {
  const Sums& sums = group.second;
  const auto n = static_cast<double>(sums.count);
  return std::pair(row.flag, row.status) == group.first && row.count == sums.count &&
         near(row.quantity, sums.quantity) && near(row.price, sums.price) && near(row.discounted, sums.discounted) &&
         near(row.charged, sums.charged) && near(row.mean_quantity, sums.quantity / n) &&
         near(row.mean_price, sums.price / n) && near(row.mean_discount, sums.discount / n);
}

}  // namespace

bool holds_pricing_summary(const std::string& folder, const std::vector<PricingRow>& rows) {
  return found_by_first([&] {
    std::map<std::pair<std::string, std::string>, Sums> groups;
    for_each_row(table_file(folder, TpchTable::lineitem),
                 {"l_returnflag", "l_linestatus", "l_shipdate", "l_quantity", "l_extendedprice", "l_discount", "l_tax"},
                 [&](const Fields& row) {
                   if (row[2] > "1998-09-02") return;
                   Sums& sums = groups[{row[0], row[1]}];
                   const double price = number(row[4]), discounted = price * (1 - number(row[5]));
                   sums.quantity += number(row[3]), sums.price += price, sums.discounted += discounted;
                   sums.charged += discounted * (1 + number(row[6])), sums.discount += number(row[5]), ++sums.count;
                 });
    return std::equal(rows.begin(), rows.end(), groups.begin(), groups.end(), same);
  });
}

bool holds_revenue_forecast(const std::string& folder, double revenue) {
  return found_by_first([&] {
    double sum = 0;
    for_each_row(table_file(folder, TpchTable::lineitem), {"l_shipdate", "l_quantity", "l_extendedprice", "l_discount"},
                 [&](const Fields& row) {
                   const double discount = number(row[3]);
                   if (row[0] < "1994-01-01" || row[0] >= "1995-01-01" || number(row[1]) >= 24) return;
                   if (discount >= 0.05 && discount <= 0.07) sum += number(row[2]) * discount;
                 });
    return near(sum, revenue);
  });
}

bool holds_shipping_priority(const std::string& folder, const std::vector<UnshippedOrder>& rows) {
  return found_by_first([&] {
    const std::string day = "1995-03-15";
    std::unordered_map<std::string, bool> in_segment;
    for_each_row(table_file(folder, TpchTable::customer), {"c_custkey", "c_mktsegment"},
                 [&](const Fields& row) { in_segment[row[0]] = row[1] == "BUILDING"; });
    struct Order {
      std::string placed, priority;
      double revenue = 0;
    };
    std::unordered_map<std::string, Order> open;
    for_each_row(table_file(folder, TpchTable::orders), {"o_orderkey", "o_custkey", "o_orderdate", "o_shippriority"},
                 [&](const Fields& row) {
                   if (in_segment[row[1]] && row[2] < day) open[row[0]] = {row[2], row[3]};
                 });
    for_each_row(table_file(folder, TpchTable::lineitem), {"l_orderkey", "l_shipdate", "l_extendedprice", "l_discount"},
                 [&](const Fields& row) {
                   const auto found = open.find(row[0]);
                   if (found == open.end() || row[1] <= day) return;
                   found->second.revenue += number(row[2]) * (1 - number(row[3]));
                 });
    std::vector<double> best;
    for (const auto& [key, order] : open) {
      if (order.revenue > 0) best.push_back(order.revenue);
    }
    std::sort(best.rbegin(), best.rend());
    best.resize(std::min<std::size_t>(best.size(), 10));
    if (rows.size() != best.size()) return false;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto found = open.find(std::to_string(rows[k].order));
      if (found == open.end() || !near(rows[k].revenue, best[k]) || !near(rows[k].revenue, found->second.revenue) ||
          kasen::date_of(rows[k].placed) != found->second.placed ||
          std::to_string(rows[k].priority) != found->second.priority || (k > 0 && rows[k] > rows[k - 1])) {
        return false;
      }
      found->second.revenue = -1;  // each once
    }
    return true;
  });
}

bool holds_shipping_modes(const std::string& folder, const std::vector<ModeRow>& rows) {
  return found_by_first([&] {
    std::unordered_map<std::string, bool> urgent;
    for_each_row(table_file(folder, TpchTable::orders), {"o_orderkey", "o_orderpriority"},
                 [&](const Fields& row) { urgent[row[0]] = row[1] == "1-URGENT" || row[1] == "2-HIGH"; });
    std::map<std::string, std::array<std::int64_t, 2>> counts;
    for_each_row(table_file(folder, TpchTable::lineitem),
                 {"l_orderkey", "l_shipmode", "l_shipdate", "l_commitdate", "l_receiptdate"}, [&](const Fields& row) {
                   if (row[1] != "MAIL" && row[1] != "SHIP") return;
                   if (row[2] >= row[3] || row[3] >= row[4] || row[4] < "1994-01-01" || row[4] >= "1995-01-01") return;
                   if (const auto found = urgent.find(row[0]); found != urgent.end()) ++counts[row[1]][!found->second];
                 });
    return std::equal(rows.begin(), rows.end(), counts.begin(), counts.end(), [](const ModeRow& row, const auto& mode) {
      return row.mode == mode.first && row.high == mode.second[0] && row.low == mode.second[1];
    });
  });
}

}  // namespace apps
