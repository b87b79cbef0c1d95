/// @file
/// The profile of a machine: rates and latencies in integers, so that every worker computes the same times. Measured by
/// kasen-calibrate, or these defaults: a common server core and a network of 10 GB/s.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kasen {

struct Profile {
  std::string origin = "defaults";  ///< the file it was read from
  /// Bytes of the working sets for which rates of memory are known; of others they are interpolated.
  static constexpr std::size_t kSizes = 8;
  static constexpr std::uint64_t kWorkingSets[kSizes] = {16u << 10, 64u << 10, 256u << 10, 1u << 20,
                                                         4u << 20,  16u << 20, 64u << 20,  256u << 20};
  // Of one worker while all workers of its machine are busy, by working set.
  std::uint64_t read_bytes_per_second[kSizes] = {150'000'000'000, 100'000'000'000, 90'000'000'000, 80'000'000'000,
                                                 60'000'000'000,  40'000'000'000,  20'000'000'000, 15'000'000'000};
  /// Reading 8 bytes at a random place.
  std::uint64_t random_access_picoseconds[kSizes] = {250, 350, 500, 700, 1'100, 2'600, 6'000, 8'000};
  std::uint64_t write_bytes_per_second = 100'000'000'000;  ///< beyond reading what is written over
  std::uint64_t fresh_bytes_per_second = 8'000'000'000;    ///< writing memory that the system has to clear first
  std::uint64_t cache_bytes[2] = {32u << 10, 1u << 20};    ///< levels 1 and 2
  // Times of vectorised kernels, per element of 8 bytes.
  std::uint64_t move_picoseconds = 40;              ///< reading or writing one in the first-level cache
  std::uint64_t flop_picoseconds = 20;              ///< an addition, a comparison, ...
  std::uint64_t integer_picoseconds = 30;           ///< the same of integers
  std::uint64_t division_picoseconds = 300;         ///< or a square root
  std::uint64_t transcendental_picoseconds = 700;   ///< an exponential
  std::uint64_t launch_picoseconds = 2'500;         ///< one kernel on one tile: the call and its loop
  std::uint64_t entry_operation_picoseconds = 120;  ///< an addition, ..., on entries of a sparse matrix, one by one
  /// What it takes longer to reduce an entry by the least of integers, or by `or` of bytes, than by a sum of doubles.
  std::uint64_t integer_entry_picoseconds = 80, byte_entry_picoseconds = 80;
  std::uint64_t row_picoseconds = 1'000;    ///< one output of a compressed matrix, beside its entries
  std::uint64_t turn_picoseconds = 7'000;   ///< a branch that goes another way than the last times
  std::uint64_t step_picoseconds = 80'000;  ///< a step of a plan, whatever it does
  /// Of memory traffic and computing in one sweep, how much of the smaller the larger does not hide; by working set.
  std::uint64_t unhidden_per_mille[kSizes] = {100, 500, 500, 500, 300, 300, 200, 200};
  // Times and rates of the network between two workers.
  std::uint64_t message_picoseconds = 2'000'000;    ///< latency of one message in an exchange
  std::uint64_t reduction_picoseconds = 4'000'000;  ///< an all-reduce of a few bytes, per doubling of the workers
  std::uint64_t network_bytes_per_second = 10'000'000'000;
  std::uint64_t packing_picoseconds = 1'000;  ///< an element of a vector that is packed and unpacked, in the caches

  bool operator==(const Profile&) const = default;
};

}  // namespace kasen
