#include "apps/common/centre_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "kasen/base/error.h"
#include "kasen/option_values.h"

namespace apps {

void CentreOptions::add_options(CLI::App& app) {
  app.add_option(count_option, count, "how many; needed unless --init is a file")
      ->transform(kasen::whole_number(1))
      ->type_name("K");
  app.add_option("--init", init, "first centres: chosen among the points, or a table of them")
      ->check(kasen::given_name())
      ->type_name("kmeans++|random|first|FILE")
      ->capture_default_str();
  app.add_option("--init-dataset", init_dataset, "HDF5: which dataset of the --init file to read")->type_name("NAME");
  app.add_option("--seed", seed, "of what --init kmeans++ and random draw")
      ->transform(kasen::whole_number())
      ->type_name("N")
      ->default_str("1");
}

std::optional<CentreChoice> CentreOptions::choice() const {
  std::optional<CentreChoice> chosen;
  if (init == "kmeans++") {
    chosen = CentreChoice::plus_plus;
  } else if (init == "random") {
    chosen = CentreChoice::random;
  } else if (init == "first") {
    chosen = CentreChoice::first;
  }
  if (chosen && !count) throw kasen::UsageError(count_option + " is needed, unless --init is a file");
  if (chosen && !init_dataset.empty())
    throw kasen::UsageError("--init-dataset: is of --init FILE, which is not asked for");
  if (seed && init != "kmeans++" && init != "random")
    throw kasen::UsageError("--seed: is of --init kmeans++ and random, which draw");
  if (kasen::Session::current().options().analyze && count) return CentreChoice::first;  // without a step
  return chosen;
}

void CentreOptions::require_enough(std::uint64_t points, const std::string& path) const {
  if (!choice() || *count <= points) return;
  throw kasen::InputError(fmt::format("{}: expected at least {} points, as many as {}, found {}", path, *count,
                                      count_option.substr(2), points));
}

std::vector<double> CentreOptions::from_file(std::uint64_t columns) const {
  kasen::ReadOptions input;
  input.dataset = init_dataset;
  std::vector<double> centres = centres_of_file(init, input, columns);
  const std::uint64_t found = centres.size() / columns;
  if (count && *count != found) {
    throw kasen::InputError(
        fmt::format("{}: expected {} centres, as {} says, found {}", init, *count, count_option, found));
  }
  return centres;
}

kasen::Table read_points(const std::string& path, const kasen::ReadOptions& options) {
  kasen::Table table = kasen::read_table(path, options);
  if (table.columns() == 0) throw kasen::InputError(path + ": expected points, found a table without columns");
  if (table.rows().length() == 0) throw kasen::InputError(path + ": expected points, found none");
  return table;
}

}  // namespace apps
