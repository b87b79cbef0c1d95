/// @file
/// Amounts of memory that workers may still take, so that what is larger is refused before it is asked for: a system
/// that has run out ends processes without a word.
#pragma once

#include <cstdint>
#include <string>

#include "comm/communicator.h"

namespace kasen::comm {

/// The memory that the workers of one host may still take, by the system, control groups and limits of the process.
class AvailableMemory {
 public:
  /// Collective. Counts the workers with which this one shares its host.
  explicit AvailableMemory(const Communicator& communicator);

  int workers_of_host() const { return _workers; }
  /// Local. Bytes for all workers of this host together, now, swap included.
  std::uint64_t of_host() const;
  /// Local. Bytes for this worker, now: its share of the host's.
  std::uint64_t of_worker() const;

 private:
  int _workers = 1;
};

/// Collective. Bytes that all workers together may still take; the same on every worker.
std::uint64_t available_memory(const Communicator& communicator);

/// Local. Bytes of memory that this process has in use.
std::uint64_t memory_in_use();

/// `count` times `bytes`, or the largest number if that is more.
std::uint64_t bytes_of(std::uint64_t count, std::uint64_t bytes);
/// The sum, or the largest number if that is more.
std::uint64_t bytes_and(std::uint64_t a, std::uint64_t b);

/// The message "at least N bytes of memory are needed, M are available", where `available` < `needed`.
std::string too_little_memory(std::uint64_t needed, std::uint64_t available);

}  // namespace kasen::comm
