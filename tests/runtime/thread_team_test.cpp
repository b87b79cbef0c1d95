/// @file
/// Teams of threads: every task runs once, on the thread of its number, and exceptions come back in order.
#include "kasen/base/thread_team.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace kasen {
namespace {

TEST(ThreadTeam, RunsEachTaskOnItsThread) {
  for (const bool spins : {true, false}) {
    for (const std::uint32_t threads : {1u, 2u, 5u}) {
      ThreadTeam team(threads, spins);
      ASSERT_EQ(team.size(), threads);
      std::vector<std::thread::id> who(threads);
      std::vector<int> times(threads);
      for (std::uint32_t tasks = 0; tasks <= threads; ++tasks) {
        team.run(tasks, [&](std::uint32_t k) {
          EXPECT_TRUE(times[k] == 0 || who[k] == std::this_thread::get_id());
          who[k] = std::this_thread::get_id();
          ++times[k];
        });
      }
      EXPECT_EQ(who[0], std::this_thread::get_id());
      for (std::uint32_t k = 0; k < threads; ++k) EXPECT_EQ(times[k], static_cast<int>(threads - k));
    }
  }
}

TEST(ThreadTeam, WakesThreadsThatSleep) {
  ThreadTeam team(3);
  int sum[3] = {};
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    team.run(3, [&](std::uint32_t k) { sum[k] += round; });
  }
  for (const int of : sum) EXPECT_EQ(of, 10);
}

/// Each thread reads what another one has written in the round before.
TEST(ThreadTeam, SeesWhatOthersHaveWritten) {
  ThreadTeam team(4);
  std::uint64_t written[2][4] = {};
  for (std::uint64_t round = 1; round < 2000; ++round) {
    team.run(4, [&](std::uint32_t k) { written[round % 2][k] = written[(round + 1) % 2][(k + 1) % 4] + 1; });
  }
  for (const std::uint64_t rounds : written[1]) EXPECT_EQ(rounds, 1999u);
}

TEST(ThreadTeam, ThrowsTheFirstOfSeveralExceptions) {
  ThreadTeam team(4);
  for (int round = 0; round < 3; ++round) {
    int ended[4] = {};
    try {
      team.run(4, [&](std::uint32_t k) {
        if (k == 1 || k == 3) throw std::runtime_error(std::to_string(k));
        ended[k] = 1;
      });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), std::string("1"));
    }
    EXPECT_EQ(ended[0] + ended[2], 2);
  }
  int runs = 0;
  team.run(1, [&](std::uint32_t) { ++runs; });
  EXPECT_EQ(runs, 1);
}

TEST(ThreadTeam, CallsEachFurtherThreadAtItsStart) {
  std::vector<int> started(3);
  ThreadTeam team(3, true, [&](std::uint32_t thread) { started[thread] = 1; });
  team.run(3, [](std::uint32_t) {});
  EXPECT_EQ(started, (std::vector<int>{0, 1, 1}));
}

}  // namespace
}  // namespace kasen
