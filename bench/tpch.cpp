/// @file
/// Measurement of queries 1 and 6 of TPC-H over items in memory, beside loops written by hand.
#include <CLI/CLI.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "apps/generate/tpch.h"
#include "apps/tables/queries.h"
#include "bench/applications.h"
#include "bench/tpch_hand.h"
#include "comm/communicator.h"
#include "comm/environment.h"

namespace {

namespace generate = apps::generate;

/// A worker's block of the items' columns.
struct Items {
  std::uint64_t all = 0;  ///< of all workers
  std::vector<std::int32_t> flag, status, shipped;
  std::vector<double> quantity, price, discount, tax;

  explicit Items(double scale) {
    const generate::Tpch parameters{.scale = scale};
    generate::Order order{};
    for (const bool counts : {true, false}) {
      const kasen::BlockRange mine = counts ? kasen::BlockRange{0, 0} : kasen::block_of(all);
      std::uint64_t at = 0;
      for (std::uint64_t k = 0; k < generate::num_orders(parameters); ++k) {
        generate::make_order(parameters, k, order);
        for (const generate::Item& item : order.items) {
          if (at++ - static_cast<std::uint64_t>(mine.first) < mine.count) take(item);
        }
      }
      all = at;
    }
  }
  void take(const generate::Item& item) {
    flag.push_back(static_cast<std::int32_t>(item.return_flag));
    status.push_back(static_cast<std::int32_t>(item.status));
    shipped.push_back(item.ship);
    quantity.push_back(static_cast<double>(item.quantity));
    price.push_back(static_cast<double>(item.price) / 100);
    discount.push_back(static_cast<double>(item.discount) / 100);
    tax.push_back(static_cast<double>(item.tax) / 100);
  }
  bench::ItemColumns columns() const {
    return {flag.data(),  status.data(),   shipped.data(), quantity.data(),
            price.data(), discount.data(), tax.data(),     flag.size()};
  }
};

kasen::Dictionary dictionary(std::span<const char* const> ascending) {
  kasen::io::Words words;
  for (const char* const word : ascending) words.push_back(word);
  return kasen::Dictionary(words);
}

void check(const char* what, double a, double b) {
  if (std::abs(a - b) <= 1e-9 * std::abs(b)) return;
  std::fprintf(stderr, "error: variants disagree on %s: %.17g and %.17g\n", what, a, b);
  std::exit(1);
}

/// Collective. Measures variants as bench::measure does, of the slowest worker; workers begin each run together, as one
/// that waits computes, too.
void measure_together(std::vector<bench::Variant>& variants, int repetitions) {
  for (int repetition = -1; repetition < repetitions; ++repetition) {
    for (std::size_t k = 0; k < variants.size(); ++k) {
      bench::Variant& variant = variants[repetition % 2 == 0 ? k : variants.size() - 1 - k];
      kasen::workers::communicator().barrier();
      const double seconds = bench::seconds_of(variant.run);
      if (repetition >= 0) variant.seconds.push_back(seconds);
    }
  }
}

void run(double scale, int repetitions) {
  const Items items(scale);
  const bench::ItemColumns columns = items.columns();
  const kasen::Space space(items.all);
  const auto shipped = kasen::make_vector(space, items.shipped);
  const auto quantity = kasen::make_vector(space, items.quantity), price = kasen::make_vector(space, items.price);
  const auto discount = kasen::make_vector(space, items.discount), tax = kasen::make_vector(space, items.tax);
  const apps::PricedItems priced{{kasen::make_vector(space, items.flag), dictionary(generate::kReturnFlags)},
                                 {kasen::make_vector(space, items.status), dictionary(generate::kLineStatus)},
                                 shipped,
                                 quantity,
                                 price,
                                 discount,
                                 tax};
  const apps::DiscountedItems discounted{shipped, quantity, price, discount};
  const apps::ForecastRange range;
  const std::int32_t last = kasen::day_of(1998, 9, 2);

  std::vector<apps::PricingRow> rows;
  double revenue = 0, revenue_by_hand = 0;
  std::array<bench::GroupSums, 6> groups;
  std::vector<bench::Variant> query1{{"hand", [&] { groups = bench::pricing_summary(columns, last); }},
                                     {"kasen", [&] { rows = apps::pricing_summary(priced, last); }}};
  std::vector<bench::Variant> query6{{"hand",
                                      [&] {
                                        revenue_by_hand = bench::revenue_forecast(
                                            columns, range.first, range.end, range.least, range.most, range.quantity);
                                      }},
                                     {"kasen", [&] { revenue = apps::revenue_forecast(discounted, range); }}};
  measure_together(query1, repetitions);
  measure_together(query6, repetitions);
  check("the revenue", revenue, kasen::workers::sum(revenue_by_hand));
  double charged = 0, charged_by_hand = 0;
  for (const apps::PricingRow& row : rows) charged += row.charged;
  for (const bench::GroupSums& sums : groups) charged_by_hand += sums.charged;
  check("what is charged", charged, kasen::workers::sum(charged_by_hand));

  if (kasen::workers::rank() != 0) return;
  const std::string size = std::to_string(items.all);
  bench::print_header();
  bench::print_rows("query 1", size, query1);
  bench::print_rows("query 6", size, query6);
  bench::print_ratio("query 1", size, query1[1], query1[0], 1.1);
  bench::print_ratio("query 6", size, query6[1], query6[0], 1.1);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Queries 1 and 6 of TPC-H over items in memory, beside loops by hand");
  double scale = 1;
  int repetitions = 11;
  app.add_option("--scale", scale, "1: 6 million items")->capture_default_str();
  app.add_option("--repetitions", repetitions)->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const kasen::comm::Environment environment;
  kasen::Options options;
  options.quiet = true;
  kasen::Session session(options);
  run(scale, repetitions);
  return 0;
}
