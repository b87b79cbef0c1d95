/// @file
/// The profile of a machine: rates and latencies in integers, so that every worker computes the same times. Measured by
/// kasen-calibrate, or these defaults: a common server core and a network of 10 GB/s.
#pragma once

#include <cstdint>
#include <string>

namespace kasen {

struct Profile {
  std::string origin = "defaults";  ///< the file it was read from
  // Memory rates of one worker while all workers of its machine are busy.
  std::uint64_t read_bytes_per_second = 10'000'000'000;
  std::uint64_t write_bytes_per_second = 5'000'000'000;
  std::uint64_t cache_bytes[3] = {32u << 10, 1u << 20, 16u << 20};  ///< levels 1, 2 and 3; the share of one worker
  /// Reading 8 bytes at a random place of a working set that fits level 1, 2, 3, or none of them.
  std::uint64_t random_access_picoseconds[4] = {300, 700, 2'000, 6'000};
  // Times of vectorised arithmetic, per element of 8 bytes.
  std::uint64_t flop_picoseconds = 100;
  std::uint64_t transcendental_picoseconds = 1'500;
  std::uint64_t launch_picoseconds = 5'000;  ///< one kernel on one tile: the call and its loop
  // Times and rates of the network between two workers.
  std::uint64_t message_picoseconds = 2'000'000;    ///< latency of one message in an exchange
  std::uint64_t reduction_picoseconds = 4'000'000;  ///< an all-reduce of a few bytes, per doubling of the workers
  std::uint64_t network_bytes_per_second = 10'000'000'000;

  bool operator==(const Profile&) const = default;
};

}  // namespace kasen
