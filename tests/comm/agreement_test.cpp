/// @file
/// One worker's exception becomes everybody's, and the workers go on together.
#include "comm/agreement.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "comm/arrival.h"
#include "kasen/base/error.h"
#include "tests/comm/communicators.h"

namespace kasen::comm::tests {
namespace {

class Agreement : public testing::TestWithParam<bool> {
 protected:
  const Communicator& communicator = communicator_for(GetParam());
  const int rank = communicator.rank();
  const int size = communicator.size();

  /// What this worker throws when all agree on `work`; checks that everybody throws, and goes on with a collective.
  void expect_agreed(const std::function<void()>& work, const std::string& message, int exit_status) {
    try {
      agree(communicator, work);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const AgreedError& error) {
      EXPECT_EQ(error.what(), message);
      EXPECT_EQ(error.exit_status(), exit_status);
    }
    EXPECT_EQ(communicator.sum(1), size);
  }
};

INSTANTIATE_TEST_SUITE_P(Waiting, Agreement, testing::Bool(), name_of_waiting);

TEST_P(Agreement, nobody_fails) {
  int runs = 0;
  agree(communicator, [&] { ++runs; });
  EXPECT_EQ(runs, 1);
}

template <class T>
std::function<void()> throw_if(bool condition, T error) {
  return [=] {
    if (condition) throw error;
  };
}

TEST_P(Agreement, one_worker_fails) {
  for (Rank failing = 0; failing < size; ++failing) {
    const std::string message = "data.txt:" + std::to_string(failing) + ": a letter, expected a number";
    expect_agreed(throw_if(rank == failing, InputError(message)), message, 1);
    expect_agreed(throw_if(rank == failing, UsageError("no such option")), "no such option", 2);
  }
}

TEST_P(Agreement, the_lowest_failing_worker_speaks) {
  const int lowest = size / 2;
  expect_agreed(throw_if(rank >= lowest, std::runtime_error("worker " + std::to_string(rank))),
                "worker " + std::to_string(lowest), 1);
}

TEST_P(Agreement, whatever_is_thrown) {
  expect_agreed(throw_if(rank == size - 1, 5), "unknown exception", 1);
  expect_agreed(throw_if(true, InternalError("of all")), "internal error: of all", 1);
}

TEST_P(Agreement, memory_that_has_run_out_is_told_with_numbers) {
  const std::string expected = "out of memory on worker " + std::to_string(size - 1) + ", which holds ";
  try {
    agree(communicator, throw_if(rank == size - 1, std::bad_alloc()));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_EQ(std::string(error.what()).substr(0, expected.size()), expected);
  }
}

/// What all workers throw alike they need not compare.
TEST_P(Agreement, an_error_of_all_is_agreed) {
  EXPECT_EQ(alike([] { return 5; }), 5);
  try {
    alike([] { throw UsageError("of all"); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_STREQ(error.what(), "of all");
    EXPECT_EQ(error.exit_status(), 2);
  }
  EXPECT_THROW(alike([] { throw 5; }), int);
}

TEST_P(Agreement, an_error_agreed_inside_stays_as_it_is) {
  expect_agreed([&] { agree(communicator, throw_if(rank == 0, UsageError("inner"))); }, "inner", 2);
}

TEST_P(Agreement, everybody_arrives_again_and_again) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Arrival arrival = wait_for_others(communicator.native(), std::chrono::seconds(20));
    EXPECT_TRUE(arrival.everybody);
    EXPECT_EQ(arrival.lowest, 0);
  }
}

TEST_P(Agreement, nobody_waits_for_ever) {
  // All but worker 1 arrive; it comes when they have given up, so that no message is left over.
  if (size == 1) GTEST_SKIP() << "one worker has no others";
  if (rank != 1) {
    const Arrival arrival = wait_for_others(communicator.native(), std::chrono::milliseconds(300));
    EXPECT_FALSE(arrival.everybody);
    EXPECT_EQ(arrival.lowest, 0);
  }
  communicator.barrier();
  if (rank == 1) {
    EXPECT_TRUE(wait_for_others(communicator.native(), std::chrono::seconds(20)).everybody);
  }
  communicator.barrier();
}

}  // namespace
}  // namespace kasen::comm::tests
