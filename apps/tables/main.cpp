/// @file
/// Queries 1, 3, 6 and 12 of TPC-H over tables in a folder, as kasen-generate tpch makes them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "apps/common/verdict.h"
#include "apps/tables/tpch_tables.h"
#include "apps/tables/verify.h"
#include "kasen/kasen.h"
#include "kasen/option_values.h"

namespace {

struct Answer {
  std::string lines;  ///< a line of names, then a row a line, with tabs between fields
  bool holds = true;  ///< whether it was verified, if it was to be
};

Answer query1(const std::string& folder, bool verify) {
  const auto rows = apps::pricing_summary(apps::read_priced_items(folder));
  std::string lines =
      "l_returnflag\tl_linestatus\tsum_qty\tsum_base_price\tsum_disc_price\tsum_charge\tavg_qty\tavg_price\tavg_disc\t"
      "count_order\n";
  for (const apps::PricingRow& row : rows) {
    lines += fmt::format("{}\t{}\t{:.2f}\t{:.2f}\t{:.4f}\t{:.6f}\t{:.6f}\t{:.6f}\t{:.6f}\t{}\n", row.flag, row.status,
                         row.quantity, row.price, row.discounted, row.charged, row.mean_quantity, row.mean_price,
                         row.mean_discount, row.count);
  }
  return {lines, !verify || apps::holds_pricing_summary(folder, rows)};
}

Answer query3(const std::string& folder, bool verify) {
  const auto rows = apps::shipping_priority(apps::read_customer_segments(folder), apps::read_placed_orders(folder),
                                            apps::read_ordered_items(folder));
  std::string lines = "l_orderkey\trevenue\to_orderdate\to_shippriority\n";
  for (const apps::UnshippedOrder& row : rows) {
    lines += fmt::format("{}\t{:.4f}\t{}\t{}\n", row.order, row.revenue, kasen::date_of(row.placed), row.priority);
  }
  return {lines, !verify || apps::holds_shipping_priority(folder, rows)};
}

Answer query6(const std::string& folder, bool verify) {
  const double revenue = apps::revenue_forecast(apps::read_discounted_items(folder));
  return {fmt::format("revenue\n{:.4f}\n", revenue), !verify || apps::holds_revenue_forecast(folder, revenue)};
}

Answer query12(const std::string& folder, bool verify) {
  const auto rows = apps::shipping_modes(apps::read_prioritised_orders(folder), apps::read_shipped_items(folder));
  std::string lines = "l_shipmode\thigh_line_count\tlow_line_count\n";
  for (const apps::ModeRow& row : rows) lines += fmt::format("{}\t{}\t{}\n", row.mode, row.high, row.low);
  return {lines, !verify || apps::holds_shipping_modes(folder, rows)};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Queries of TPC-H over tables of orders, by all workers together");
  std::string folder;
  auto query = query1;
  kasen::add_choice<decltype(query)>(
      app, "--query", query, {{"1", query1}, {"3", query3}, {"6", query6}, {"12", query12}}, "the number of the query");
  app.add_option("--data", folder,
                 "the folder of customer.csv, orders.csv and lineitem.csv, or .tbl as dbgen writes them")
      ->check(kasen::given_name())
      ->type_name("FOLDER")
      ->required();
  app.footer("Example: kasen-generate tpch data --scale 0.1; kasen-run -n 2 tpch --query 3 --data data");
  kasen::Session session(argc, argv, app);
  if (!session.options().output.empty()) throw kasen::UsageError("tpch prints its rows: it has no --output");

  const Answer answer = query(folder, session.options().verify);
  if (session.options().verify) {
    apps::verdict(answer.holds,
                  fmt::format("the rows are {}those of plain loops over the tables", answer.holds ? "" : "not "));
  }
  session.print(answer.lines);
  return 0;
}
