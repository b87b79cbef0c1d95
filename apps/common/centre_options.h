/// @file
/// Struct CentreOptions: how many first centres, and which, by options that programs share that group points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/initial_centres.h"

namespace CLI {
class App;
}

namespace apps {

struct CentreOptions {
  std::string count_option;            ///< its name, such as "--clusters"
  std::optional<std::uint64_t> count;  ///< may be left out with a file of centres
  std::string init = "kmeans++";
  std::string init_dataset;
  std::optional<std::uint64_t> seed;

  /// Adds the option of the count, --init, --init-dataset and --seed.
  void add_options(CLI::App& app);
  /// What is chosen among the points, or nothing if the centres are those of a file. @throws UsageError
  std::optional<CentreChoice> choice() const;
  /// Local. @throws InputError if centres are to be chosen among fewer points
  void require_enough(std::uint64_t points, const std::string& path) const;
  /// Collective. What --init names, points of `columns` numbers. @throws InputError (by all workers)
  std::vector<double> from_file(std::uint64_t columns) const;
};

/// Collective. A table of points, at least one, with columns. @throws InputError (by all workers) "PATH: expected ..."
kasen::Table read_points(const std::string& path, const kasen::ReadOptions& options);

}  // namespace apps
