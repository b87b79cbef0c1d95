/// @file
/// Sizes for which kasen-analyze plans: those recorded, or another number of workers, another graph, other numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/options.h"
#include "optimizer/record/program_file.h"

namespace apps {

using Settings = std::vector<std::pair<std::string, std::uint64_t>>;  ///< symbol and value

struct Sizes {
  std::optional<std::uint32_t> workers;
  std::string graph;  ///< a graph, with weights or without; empty: none
  Settings settings;

  /// Takes "N=900000"; "P=4" is the number of workers. @throws kasen::UsageError also for a second value
  void set(const std::string& setting);
};

/// Where the numbers of a run come from.
struct Origin {
  std::string text;                             ///< in one line
  std::vector<kasen::PlacementStats> unscaled;  ///< by program: before numbers that are given changed them
  std::vector<Settings> settings;               ///< by program, by the names that symbols have there
};

/// Gives every program of the run its new placement. A symbol that is set means what it means in the last program that
/// has one of this name: in others the same space, replicas or matrix, whatever they are called there. @throws
/// kasen::UsageError, kasen::InputError
Origin apply(const Sizes& sizes, const kasen::Options& options, const kasen::comm::Communicator& communicator,
             kasen::optimizer::RecordedRun& run);

/// The placements of one program on other numbers of workers, up to 4,096, in ascending order, its own among them:
/// replicas are estimated as by --workers and for the sizes that are given, and runs in blocks in proportion to the
/// outputs that there are on all workers together. Its own alone, if degrees were not recorded.
/// @param settings as in Origin. @param unscaled, @param stats its placement before and after sizes were given
std::vector<kasen::PlacementStats> on_other_workers(const Settings& settings, const kasen::PlacementStats& unscaled,
                                                    const kasen::PlacementStats& stats,
                                                    const std::vector<kasen::Degrees>& degrees);

}  // namespace apps
