/// @file
/// What a timeline keeps: each so many-th of what repeats, the latest events, and threads' shares of steps.
#include "kasen/base/timeline.h"

#include <gtest/gtest.h>

#include <vector>

#include "kasen/base/thread_team.h"

namespace kasen {
namespace {

/// The iterations that are kept of so many, in loops of so many each.
std::vector<int> kept_iterations(Timeline& timeline, std::uint32_t plan, int loops, int iterations) {
  std::vector<int> kept;
  int all = 0;
  timeline.begin_run(plan, true);
  for (int k = 0; k < loops; ++k) {
    for (int i = 0; i < iterations; ++i) {
      timeline.begin_iteration();
      if (timeline.keeps()) kept.push_back(all);
      ++all;
    }
    timeline.end_loop();
    EXPECT_TRUE(timeline.keeps()) << "what follows a loop is kept";
  }
  timeline.end_run();
  EXPECT_FALSE(timeline.keeps());
  return kept;
}

TEST(Timeline, KeepsEachSoManyThIterationOfAPlan) {
  Timeline timeline(10, 4);
  EXPECT_EQ(kept_iterations(timeline, 0, 1, 10), (std::vector<int>{0, 4, 8}));
  EXPECT_EQ(kept_iterations(timeline, 0, 2, 3), (std::vector<int>{2})) << "goes on counting: this is number 12";
  EXPECT_EQ(kept_iterations(timeline, 1, 4, 2), (std::vector<int>{0, 4})) << "each plan counts for itself";
  Timeline all(10, 1);
  EXPECT_EQ(kept_iterations(all, 0, 1, 3), (std::vector<int>{0, 1, 2}));
}

TEST(Timeline, KeepsEachSoManyThRunOfAPlanWithoutLoops) {
  Timeline timeline(10, 3);
  std::vector<std::vector<int>> kept(2);
  for (int run = 0; run < 7; ++run) {
    for (std::uint32_t plan = 0; plan < 2; ++plan) {
      timeline.begin_run(plan, false);
      if (timeline.keeps()) kept[plan].push_back(run);
      timeline.end_run();
    }
  }
  EXPECT_EQ(kept, (std::vector<std::vector<int>>{{0, 3, 6}, {0, 3, 6}}));
}

TEST(Timeline, HasRoomForTheLatestEvents) {
  Timeline timeline(3, 1);
  timeline.begin_run(0, false);
  EXPECT_TRUE(timeline.events().empty());
  for (std::uint32_t k = 0; k < 5; ++k) {
    timeline.add_step(k, 10 * k, 10 * k + 5, k);
    EXPECT_EQ(timeline.dropped(), k < 3 ? 0 : k - 2);
  }
  const std::vector<Timeline::Event> events = timeline.events();
  ASSERT_EQ(events.size(), 3u);
  for (std::uint32_t k = 0; k < 3; ++k) {
    EXPECT_EQ(events[k].step, k + 2);
    EXPECT_EQ(events[k].begin, 10 * (k + 2));
    EXPECT_EQ(events[k].bytes_sent, k + 2);
  }
}

TEST(Timeline, WhatContainsOthersStandsBeforeThem) {
  Timeline timeline(10, 1);
  timeline.begin_run(7, true);
  timeline.begin_iteration();
  timeline.add_step(1, 100, 150, 0);
  timeline.end_superstep();
  timeline.add_step(2, 150, 200, 0);
  timeline.end_loop();
  timeline.add_step(0, 100, 200, 0);
  timeline.end_run();
  timeline.add(Timeline::Kind::run, 100, 200, 7);
  const std::vector<Timeline::Event> events = timeline.events();
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[3].step, 2u);
  EXPECT_EQ(events[3].superstep, 1u);
  EXPECT_EQ(events[2].step, 1u);
  EXPECT_EQ(events[2].superstep, 0u);
  EXPECT_EQ(events[2].iteration, 1u);
  EXPECT_EQ(events[2].plan, 7u);
}

TEST(Timeline, HasTheSharesOfThreadsWithinSteps) {
  Timeline timeline(100, 2);
  ThreadTeam team(3, false);
  team.observe(&timeline);
  const auto work = [](std::uint32_t) {};
  team.run(3, work);
  timeline.begin_run(0, true);
  team.run(3, work);
  EXPECT_TRUE(timeline.events().empty()) << "outside of steps";
  for (int i = 0; i < 2; ++i) {
    timeline.begin_iteration();
    timeline.enter(5);
    team.run(3, work);
    team.run(1, work);
    timeline.enter(Timeline::kNone);
  }
  const std::vector<Timeline::Event> events = timeline.events();
  ASSERT_EQ(events.size(), 2u) << "of the first iteration";
  for (std::uint32_t k = 0; k < 2; ++k) {
    EXPECT_EQ(events[k].kind, Timeline::Kind::thread);
    EXPECT_EQ(events[k].thread, k + 1);
    EXPECT_EQ(events[k].step, 5u);
    EXPECT_LE(events[k].begin, events[k].end);
    EXPECT_GT(events[k].begin, 0);
  }
}

}  // namespace
}  // namespace kasen
