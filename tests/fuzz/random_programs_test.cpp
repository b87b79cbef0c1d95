/// @file
/// Random programs against the interpreter. KASEN_FUZZ_SEED and KASEN_FUZZ_PROGRAMS choose which, see docs/testing.md.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/check.h"
#include "tests/fuzz/generator.h"

namespace kasen::tests::fuzz {
namespace {

constexpr int kCombinations = 8;
constexpr std::uint64_t kPrograms = 10;
constexpr std::uint64_t kFirstSeed = 1000000;  // for each number of workers others

/// What ran when the process ended in the middle of a test: printed then, as nothing else will say so.
char running[160] = "";
extern "C" void say_what_ran() {
  if (running[0] != '\0') std::fputs(running, stderr);
}

std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

void run(Kind kind) {
  int workers = 1, rank = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto first = environment("KASEN_FUZZ_SEED", kFirstSeed * static_cast<std::uint64_t>(workers));
  const bool one = std::getenv("KASEN_FUZZ_SEED") != nullptr;
  const auto programs = environment("KASEN_FUZZ_PROGRAMS", one ? 1 : kPrograms);
  if (rank == 0) {
    std::printf("seeds %llu to %llu, %d combinations of options each\n", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(first + programs - 1), kCombinations);
    std::fflush(stdout);
  }
  [[maybe_unused]] static const int registered = std::atexit(say_what_ran);
  constexpr int kMostFindings = 3;
  int findings = 0;
  for (std::uint64_t seed = first; seed < first + programs && findings < kMostFindings; ++seed) {
    std::snprintf(running, sizeof running, "random program: ended while KASEN_FUZZ_SEED=%llu ran (%s), %d workers\n",
                  static_cast<unsigned long long>(seed), kind.exact ? "exact" : "rounded", workers);
    for (const Finding& finding : check(generate(seed, kind), kCombinations)) {
      ++findings;
      ADD_FAILURE() << report(finding);
    }
  }
  running[0] = '\0';
}

TEST(RandomPrograms, ExactOnesGiveTheSameBits) { run({.exact = true}); }

TEST(RandomPrograms, RoundedOnesGiveTheSameNumbers) { run({.exact = false}); }

}  // namespace
}  // namespace kasen::tests::fuzz
