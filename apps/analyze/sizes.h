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

inline constexpr std::uint32_t kMostWorkers = 1u << 20;  ///< that are planned for

struct Sizes {
  std::optional<std::uint32_t> workers;
  std::string graph;                                            ///< an edge list, with weights or without; empty: none
  std::vector<std::pair<std::string, std::uint64_t>> settings;  ///< symbol and value

  /// Takes "N=900000"; "P=4" is the number of workers. @throws kasen::UsageError also for a second value
  void set(const std::string& setting);
};

/// Where the numbers of a run come from.
struct Origin {
  std::string text;                             ///< in one line
  std::vector<kasen::PlacementStats> unscaled;  ///< by program: before numbers that are given changed them
};

/// Gives every program of the run its new placement. @throws kasen::UsageError, kasen::InputError
Origin apply(const Sizes& sizes, const kasen::Options& options, const kasen::comm::Communicator& communicator,
             kasen::optimizer::RecordedRun& run);

/// The placements of one program on other numbers of workers, up to 4,096, in ascending order, its own among them:
/// replicas are estimated as by --workers and for the sizes that are given, and runs in blocks in proportion to the
/// outputs that there are on all workers together. Its own alone, if degrees were not recorded.
/// @param unscaled, @param stats its placement before and after sizes were given
std::vector<kasen::PlacementStats> on_other_workers(const Sizes& sizes, const kasen::PlacementStats& unscaled,
                                                    const kasen::PlacementStats& stats,
                                                    const std::vector<kasen::Degrees>& degrees);

}  // namespace apps
