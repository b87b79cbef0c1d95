/// @file
/// Runs the programs under ways to spread, store and number data, to fuse and to synchronise, and prints for each the
/// hash of its results: "NAME HASH WAY". With --reproducible it must be the same for all ways and numbers of workers.
#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "kasen/base/option_names.h"
#include "kasen/session.h"
#include "tests/endtoend/agreement_of_counts.h"
#include "tests/reproducible/programs.h"
#include "tests/support/pmpi_witness.h"

namespace kasen::tests {
namespace {

std::vector<Options> ways(bool reproducible) {
  using enum Partition;
  std::vector<Options> all;
  std::size_t turn = 0;
  for (const Partition partition :
       {automatic, block, range, range_column, range_grid, row, column, hybrid_cut, grid, metis, label_propagation}) {
    for (const Numbering numbering : {Numbering::index, Numbering::degree}) {
      for (const Storage storage : {Storage::compressed, Storage::blocked}) {
        Options& options = all.emplace_back();
        options.quiet = true;
        options.reproducible = reproducible;
        options.partition = partition;
        options.numbering = numbering;
        options.storage = storage;
        options.threshold = 20;
        options.block_edge = 32;
        options.part_elements = 16;
        options.threads = static_cast<std::uint32_t>(1 + turn % 2);
        options.fusion = turn % 5 == 1 ? Fusion::off : turn % 5 == 3 ? Fusion::exact : Fusion::greedy;
        options.search_budget = 100;
        options.sync = turn % 3 == 1 ? Sync::eager : turn % 3 == 2 ? Sync::lazy : Sync::hybrid;
        options.overlap = turn % 4 == 0 ? Overlap::on : Overlap::off;
        ++turn;
      }
    }
  }
  return all;
}

/// @return whether counts agreed with predictions, which is said if not
bool run(bool reproducible, std::size_t first, std::size_t step) {
  bool agreed = true;
  const std::vector<Options> all = ways(reproducible);
  for (std::size_t k = first; k < all.size(); k += step) {
    for (const ReproducibleProgram& program : reproducible_programs()) {
      reset_witness();
      Session session(all[k]);
      const std::uint64_t hash = program.run();
      const std::string wrong = disagreements(session);
      agreed = agreed && wrong.empty();
      if (session.rank() != 0) continue;
      std::printf("%s %016llx %s %s\n", program.name.c_str(), static_cast<unsigned long long>(hash),
                  name_of(all[k].partition).c_str(), options_text(all[k]).c_str());
      if (!wrong.empty()) std::printf("disagreement %s\n", wrong.c_str());
    }
  }
  std::fflush(stdout);
  return agreed;
}

}  // namespace
}  // namespace kasen::tests

int main(int argc, char** argv) {
  CLI::App app;
  bool plain = false;
  std::size_t first = 0, step = 1;
  app.add_flag("--plain", plain, "without --reproducible");
  app.add_option("--first", first, "the first of the ways");
  app.add_option("--step", step, "of so many ways one");
  CLI11_PARSE(app, argc, argv);
  return kasen::tests::run(!plain, first, step) ? 0 : 1;
}
