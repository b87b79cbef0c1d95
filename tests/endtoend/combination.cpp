#include "tests/endtoend/combination.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "optimizer/optimize.h"

namespace kasen::tests {
namespace {

/// Low enough that small graphs have vertices on both sides of it.
constexpr std::uint64_t kThreshold = 6;
constexpr std::array<Partition, 11> kPartitions{Partition::automatic,
                                                Partition::block,
                                                Partition::row,
                                                Partition::column,
                                                Partition::hybrid_cut,
                                                Partition::grid,
                                                Partition::metis,
                                                Partition::range,
                                                Partition::range_grid,
                                                Partition::range_column,
                                                Partition::label_propagation};

/// That a test's name may contain.
std::string short_name(Partition partition) {
  switch (partition) {
    case Partition::automatic:
      return "auto";
    case Partition::block:
      return "block";
    case Partition::range:
      return "range";
    case Partition::range_column:
      return "rangecolumn";
    case Partition::range_grid:
      return "range2d";
    case Partition::row:
      return "row";
    case Partition::column:
      return "column";
    case Partition::hybrid_cut:
      return "cut";
    case Partition::grid:
      return "2d";
    case Partition::metis:
      return "metis";
    case Partition::label_propagation:
      return "lp";
    case Partition::file:
      return "file";
  }
  return {};
}

Combination make(Fusion fusion, Sync sync, Partition partition, bool roles, std::vector<std::string> passes_off = {}) {
  Combination made;
  made.options.quiet = true;
  made.options.threshold = kThreshold;
  made.options.fusion = fusion;
  made.options.sync = sync;
  made.options.partition = partition;
  made.options.roles = roles;
  made.name = std::string(fusion == Fusion::greedy ? "greedy"
                          : fusion == Fusion::off  ? "off"
                                                   : "exact") +
              (sync == Sync::hybrid  ? "_hybrid"
               : sync == Sync::eager ? "_eager"
                                     : "_lazy") +
              "_" + short_name(partition) + (roles ? "" : "_allroles");
  for (std::string pass : passes_off) {
    pass.erase(std::remove(pass.begin(), pass.end(), '-'), pass.end());
    made.name += "_no" + pass;
  }
  made.options.passes_off = std::move(passes_off);
  return made;
}

void number_by_degree(Combination& combination) {
  combination.name += "_degree";
  combination.options.numbering = Numbering::degree;
}

/// On so many, in parts that even small graphs have several of.
void run_on_threads(Combination& combination, std::size_t threads) {
  if (threads > 1) combination.name += "_threads" + std::to_string(threads);
  combination.options.threads = static_cast<std::uint32_t>(threads);
  combination.options.part_elements = 8;
}

void send_to_neighbours(Combination& combination) {
  combination.name += "_neighbours";
  combination.options.routes = Routes::neighbours;
}

}  // namespace

std::vector<Combination> spread() {
  using enum Partition;
  std::vector<Combination> all{
      make(Fusion::greedy, Sync::hybrid, hybrid_cut, true),
      make(Fusion::greedy, Sync::hybrid, grid, false),
      make(Fusion::greedy, Sync::eager, block, true),
      make(Fusion::greedy, Sync::eager, column, false),
      make(Fusion::greedy, Sync::lazy, metis, true),
      make(Fusion::greedy, Sync::lazy, range_grid, false),
      make(Fusion::off, Sync::lazy, block, true),
      make(Fusion::off, Sync::hybrid, automatic, true),
      make(Fusion::off, Sync::eager, hybrid_cut, false),
      make(Fusion::exact, Sync::hybrid, row, true),
      make(Fusion::exact, Sync::lazy, grid, false, {"rotate"}),
      make(Fusion::greedy, Sync::hybrid, range, true, {"renames", "hoist", "rotate", "in-place"}),
      make(Fusion::greedy, Sync::hybrid, metis, true,
           {"dead-values", "common-subexpressions", "derive-laws", "join-mxv", "reuse-buffers"}),
      make(Fusion::greedy, Sync::lazy, hybrid_cut, true, {"fuse"}),
  };
  all.back().name += "_largecounts_compressed";
  all.back().options.exchange_limit = 16;
  all.back().options.storage = Storage::compressed;
  for (const Fusion fusion : {Fusion::greedy, Fusion::exact}) {
    all.push_back(make(fusion, Sync::hybrid, hybrid_cut, true));
    all.back().name += "_blocked_overlap";
    all.back().options.overlap = Overlap::on;
    all.back().options.storage = Storage::blocked;
    all.back().options.block_edge = 8;
  }
  all.push_back(make(Fusion::greedy, Sync::hybrid, hybrid_cut, true));
  all.back().name += "_stencils";
  all.back().options.storage = Storage::stencils;
  all.push_back(make(Fusion::greedy, Sync::eager, label_propagation, true));
  for (std::size_t k = 1; k < all.size(); k += 2) number_by_degree(all[k]);
  for (std::size_t k = 0; k < all.size(); ++k) run_on_threads(all[k], 1 + k % 3);
  for (std::size_t k = 2; k < all.size(); ++k) {
    if (k % 4 >= 2) send_to_neighbours(all[k]);
  }
  return all;
}

std::vector<Combination> every_combination() {
  const std::vector<std::string_view> optional = optimizer::optional_passes();
  std::vector<std::vector<std::string>> passes_off{{}, {optional.begin(), optional.end()}};
  for (const std::string_view pass : optional) passes_off.push_back({std::string(pass)});
  std::vector<Combination> all;
  std::size_t next = 0;
  for (const Fusion fusion : {Fusion::greedy, Fusion::off, Fusion::exact}) {
    for (const Sync sync : {Sync::hybrid, Sync::eager, Sync::lazy}) {
      for (const bool roles : {true, false}) {
        for (const auto& off : passes_off) {
          all.push_back(make(fusion, sync, kPartitions[next++ % kPartitions.size()], roles, off));
          all.push_back(make(fusion, sync, kPartitions[next++ % kPartitions.size()], roles, off));
          number_by_degree(all.back());
        }
      }
    }
  }
  return all;
}

}  // namespace kasen::tests
