/// @file
/// Clocks of workers, which are one here, and times between two comparisons.
#include "comm/clocks.h"

#include <gtest/gtest.h>

#include <chrono>

namespace kasen::comm {
namespace {

std::int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

TEST(Clocks, WorkersOfOneHostHaveOne) {
  const Communicator workers;
  const std::int64_t before = now();
  const ClockReading reading = compare_clocks(workers);
  EXPECT_EQ(reading.offset, 0);
  EXPECT_GE(reading.at, before);
  const std::int64_t after = now();
  EXPECT_LE(reading.at, after);
  // Twice the error, rounded up, is what the fastest of sixteen messages there and back took, of which fifteen were
  // under way between these two moments.
  EXPECT_LE(15 * (2 * reading.error - 1), after - before);
  EXPECT_EQ(reading.error == 0, workers.rank() == 0);
}

TEST(Clocks, TimesAreThoseOfTheFirstWorker) {
  const CommonClock ahead({1000, -400, 5}, {2000, -400, 5});
  EXPECT_EQ(ahead(1000), 600);
  EXPECT_EQ(ahead(1500), 1100);
  // One that loses 10 in 1000 against the first worker's.
  const CommonClock slow({1000, 50, 1}, {2000, 60, 1});
  EXPECT_EQ(slow(1000), 1050);
  EXPECT_EQ(slow(1500), 1555);
  EXPECT_EQ(slow(2000), 2060);
  EXPECT_EQ(slow(900), 949);
  EXPECT_EQ(CommonClock({7, 3, 0}, {7, 3, 0})(7), 10) << "compared at one moment";
}

}  // namespace
}  // namespace kasen::comm
