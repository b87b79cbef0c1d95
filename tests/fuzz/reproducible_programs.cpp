/// @file
/// Runs random programs with --reproducible under options that are drawn, checks their results against the
/// interpreter's and counts against predictions, and prints a hash of each one's results: "SEED HASH". They are to be
/// the same on every number of workers.
///
/// Usage: fuzz_reproducible FIRST_SEED PROGRAMS COMBINATIONS [--plain]
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "comm/environment.h"
#include "kasen/base/hash.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/generator.h"

namespace kasen::tests::fuzz {
namespace {

std::uint64_t hash_of_bits(const std::vector<Result>& results) {
  Fnv1a hash;
  const auto add = [&](const auto& number) {
    hash.add(std::string_view(reinterpret_cast<const char*>(&number), sizeof number));
  };
  for (const Result& result : results) {
    for (const Plain& value : result.values) {
      if (const auto* const pair = std::get_if<Pair>(&value)) {  // between its members and the next one is padding
        add(pair->x), add(pair->n);
      } else {
        std::visit(add, value);
      }
    }
  }
  return hash.value();
}

/// @return whether a run was right
bool run(const Program& program, int count, bool reproducible) {
  const std::vector<Expected> expected = Interpreter(program).run();
  bool right = true;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (Combination& combination : combinations(program, count)) {
    combination.options.reproducible = reproducible;
    if (combination.options.storage == Storage::stencils) combination.options.storage = Storage::automatic;
    std::vector<Result> results;
    const std::string wrong = check_run(program, expected, combination, &results);
    right = right && wrong.empty();
    if (rank != 0) continue;
    std::printf("%llu %016llx %s\n", static_cast<unsigned long long>(program.seed),
                static_cast<unsigned long long>(hash_of_bits(results)), combination.command_line.c_str());
    if (!wrong.empty()) std::printf("wrong: %s\n", wrong.c_str());
  }
  return right;
}

}  // namespace
}  // namespace kasen::tests::fuzz

int main(int argc, char** argv) {
  using namespace kasen::tests::fuzz;
  if (argc < 4) return 2;
  const kasen::comm::Environment environment;
  const std::uint64_t first = std::stoull(argv[1]), programs = std::stoull(argv[2]);
  const bool plain = argc > 4 && std::strcmp(argv[4], "--plain") == 0;
  bool right = true;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    const Kind kind{.exact = false, .searches = seed % 8 == 0, .reproducible = true};
    right = run(generate(seed, kind), std::stoi(argv[3]), !plain) && right;
  }
  return right ? 0 : 1;
}
