/// @file
/// For which processors kernels are, and that all workers have the same.
#include "kasen/runtime/instruction_set.h"

#include <gtest/gtest.h>

#include <string>

#include "kasen/base/error.h"

namespace kasen::runtime::tests {
namespace {

TEST(InstructionSet, this_machine_has_it) {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
  const std::string_view level = instruction_set();
  EXPECT_TRUE(level == "x86-64" || (level == "x86-64-v2" && __builtin_cpu_supports("x86-64-v2")) ||
              (level == "x86-64-v3" && __builtin_cpu_supports("x86-64-v3")) ||
              (level == "x86-64-v4" && __builtin_cpu_supports("x86-64-v4")))
      << level;
#else
  GTEST_SKIP() << "the compiler does not say what this machine has";
#endif
}

TEST(InstructionSet, workers_with_the_same_go_on) {
  const comm::Communicator workers;
  require_one_instruction_set(workers);
  require_one_instruction_set(workers, "x86-64-v3");
}

TEST(InstructionSet, all_workers_hear_of_the_first_that_differs) {
  const comm::Communicator workers;
  const bool differs = workers.rank() == 1 || workers.rank() == 2;
  const auto compare = [&] { require_one_instruction_set(workers, differs ? "x86-64-v3" : "x86-64-v4"); };
  if (workers.size() == 1) return compare();
  try {
    compare();
    FAIL() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_TRUE(
        std::string(error.what())
            .starts_with(
                "the kernels of worker 1 are for x86-64-v3, those of worker 0 for x86-64-v4, and round differently"))
        << error.what();
  }
  EXPECT_EQ(workers.sum(1), workers.size());
}

}  // namespace
}  // namespace kasen::runtime::tests
