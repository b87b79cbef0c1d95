/// @file
/// The crime index of large cities, by all workers together.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "apps/common/verdict.h"
#include "apps/tables/crime_index.h"
#include "apps/tables/plain_columns.h"
#include "kasen/option_values.h"

namespace {

struct Options {
  std::string data;
  std::array<std::string, 3> columns = {"population", "adults", "robberies"};
  double most_of_small = 500'000;
};

apps::Cities read_cities(const Options& options) {
  std::vector<kasen::WantedColumn> wanted;
  for (const std::string& name : options.columns) wanted.push_back({name, kasen::ColumnType::number});
  const kasen::Columns table = kasen::read_columns(options.data, wanted);
  return {table.numbers(options.columns[0]), table.numbers(options.columns[1]), table.numbers(options.columns[2])};
}

/// The same in a plain loop over the file.
bool holds(const Options& options, const apps::CrimeIndex& found) {
  return apps::found_by_first([&] {
    std::int64_t cities = 0;
    double total = 0;
    apps::for_each_row(options.data, {}, {options.columns.begin(), options.columns.end()}, [&](const auto& fields) {
      const auto number = [&](std::size_t k) { return std::strtod(fields[k].c_str(), nullptr); };  // tiny ones are 0
      const double people = number(0), adults = number(1), robberies = number(2);
      if (people <= options.most_of_small) return;
      const double score = (people + 2 * adults - 2000 * robberies) / 100000;
      total += score > 0.02 ? 0.032 : score < 0.01 ? 0.005 : score;
      ++cities;
    });
    return cities == found.cities && std::abs(total - found.total) <= 1e-9 * std::abs(total);
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A score of how safe large cities are, from a table of cities");
  Options options;
  app.add_option("--data", options.data, "a table of cities, whose first line names its columns")
      ->check(kasen::given_name())
      ->type_name("FILE")
      ->required();
  app.add_option("--population", options.columns[0], "the column of people")->type_name("NAME")->capture_default_str();
  app.add_option("--adults", options.columns[1], "the column of adults")->type_name("NAME")->capture_default_str();
  app.add_option("--robberies", options.columns[2], "the column of robberies")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--more-than", options.most_of_small, "cities with no more people are left out")
      ->check(kasen::number_between(0, 1e300, "a number from 0"))
      ->type_name("PEOPLE")
      ->capture_default_str();
  app.footer("Example: kasen-run -n 2 crime-index --data cities.csv --more-than 100000");
  kasen::Session session(argc, argv, app);
  if (!session.options().output.empty()) throw kasen::UsageError("crime-index prints its result: it has no --output");

  const apps::CrimeIndex index = apps::crime_index(read_cities(options), options.most_of_small);
  if (session.options().verify)
    apps::verdict(holds(options, index), "the sums are those of a plain loop over the table");
  session.print(fmt::format("cities\ttotal\tmean\n{}\t{:.6f}\t{:.6f}\n", index.cities, index.total,
                            index.cities == 0 ? 0.0 : index.total / static_cast<double>(index.cities)));
  return 0;
}
