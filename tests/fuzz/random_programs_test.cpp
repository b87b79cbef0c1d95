/// @file
/// Random programs against the interpreter. KASEN_FUZZ_SEED and KASEN_FUZZ_PROGRAMS choose which, see docs/testing.md.
#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "tests/fuzz/check.h"
#include "tests/fuzz/generator.h"

namespace kasen::tests::fuzz {
namespace {

constexpr std::uint64_t kCombinations = 4;
constexpr std::uint64_t kPrograms = 10;
constexpr std::uint64_t kFirstSeed = 1000000;  // for each number of workers others

/// What ran when the process ended in the middle of a test: printed then, as nothing else will say so.
char running[160] = "";
extern "C" void say_what_ran() {
  if (running[0] != '\0') std::fputs(running, stderr);
}
extern "C" void say_what_crashed(int signal) {
  if (const ssize_t written = ::write(STDERR_FILENO, running, std::strlen(running)); written < 0) std::_Exit(1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::uint64_t environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

Coverage& coverage() {
  static Coverage met;
  return met;
}

void run(Kind kind) {
  int workers = 1, rank = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto first = environment("KASEN_FUZZ_SEED", kFirstSeed * static_cast<std::uint64_t>(workers));
  const bool one = std::getenv("KASEN_FUZZ_SEED") != nullptr;
  const auto programs = environment("KASEN_FUZZ_PROGRAMS", one ? 1 : kPrograms);
  const auto combinations = static_cast<int>(environment("KASEN_FUZZ_COMBINATIONS", kCombinations));
  if (rank == 0) {
    std::printf("seeds %llu to %llu, %d combinations of options each\n", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(first + programs - 1), combinations);
    std::fflush(stdout);
  }
  [[maybe_unused]] static const int registered = std::atexit(say_what_ran);
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT}) std::signal(crash, say_what_crashed);
  const auto most_findings = static_cast<int>(environment("KASEN_FUZZ_FINDINGS", 3));
  int found = 0;
  for (std::uint64_t seed = first; seed < first + programs && found < most_findings; ++seed) {
    std::snprintf(running, sizeof running, "random program: ended while KASEN_FUZZ_SEED=%llu ran (%s), %d workers\n",
                  static_cast<unsigned long long>(seed),
                  kind.searches ? "searches"
                  : kind.exact  ? "exact"
                                : "rounded",
                  workers);
    for (const Finding& finding : check(generate(seed, kind), combinations, {}, &coverage())) {
      ++found;
      if (rank == 0) std::printf("%s", report(finding).c_str()), std::fflush(stdout);
    }
  }
  // Not before: a failure on one worker limits the time that all others have.
  EXPECT_EQ(found, 0) << (rank == 0 ? "printed above" : "");
  running[0] = '\0';
}

TEST(RandomPrograms, ExactOnesGiveTheSameBits) { run({.exact = true, .errors = true}); }

TEST(RandomPrograms, RoundedOnesGiveTheSameNumbers) { run({.exact = false, .errors = true}); }

TEST(RandomPrograms, SearchesGiveTheSameBits) {
  run({.exact = true, .searches = true});
  if (std::getenv("KASEN_FUZZ_SEED") == nullptr) {
    EXPECT_GT(coverage().count("program: with delta iterations"), 0u);
  }
}

/// Of the batches that KASEN_FUZZ_COVERAGE says are large enough.
TEST(RandomPrograms, MeetAllThereIs) {
  if (std::getenv("KASEN_FUZZ_COVERAGE") == nullptr) GTEST_SKIP() << "KASEN_FUZZ_COVERAGE is not set";
  int workers = 1, rank = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &workers);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("%s", coverage().table().c_str());
  EXPECT_EQ(coverage().missing(workers), std::vector<std::string>());
}

}  // namespace
}  // namespace kasen::tests::fuzz
