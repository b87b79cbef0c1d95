/// @file
/// Comparison of the workers' steady clocks, which on each host count from a moment of their own, and not quite as fast
/// as others.
#pragma once

#include <cstdint>

#include "comm/communicator.h"

namespace kasen::comm {

/// What the comparison of a worker's clock with the first worker's has given, in nanoseconds.
struct ClockReading {
  std::int64_t at = 0;      ///< this worker's clock when they were compared
  std::int64_t offset = 0;  ///< what the first worker's clock showed more then
  std::int64_t error = 0;   ///< by so much at most is the offset wrong
};

/// Collective. Compares all clocks with the first worker's, by the fastest of sixteen messages there and back. Where
/// the difference is no more than half of what that took, the clocks are taken to be one, as they are on one host.
/// Cost: 32 messages with each worker, one worker after the other.
ClockReading compare_clocks(const Communicator& communicator);

/// The first worker's clock, between two comparisons and around them.
class CommonClock {
 public:
  CommonClock(const ClockReading& first, const ClockReading& last) : _first(first), _last(last) {}
  /// What the first worker's clock showed when this worker's showed `time`.
  std::int64_t operator()(std::int64_t time) const;

 private:
  ClockReading _first, _last;
};

}  // namespace kasen::comm
