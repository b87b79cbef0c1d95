/// @file
/// A limit of the memory of each worker, and class MemoryNeeds: what a worker is about to need beside it, part by part.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "comm/communicator.h"

namespace kasen::comm {

/// Local. From now on this process is to have no more than `bytes` in RAM, MPI and the program included; 0: no limit.
/// To be called by all workers alike. Nobody is stopped by it: who is about to take much asks MemoryNeeds before.
void limit_memory(std::uint64_t bytes);
/// Local. The limit; 0 if there is none.
std::uint64_t memory_limit();

/// What each worker will have at the most, by what there is now and what is said to come. Without a limit nothing is
/// looked at or refused.
class MemoryNeeds {
 public:
  /// Bytes that the worker with the most of them needs if there are so many workers.
  using Bytes = std::function<std::uint64_t(std::uint64_t workers)>;

  /// Collective where there is a limit: finds the worker that has the most now.
  explicit MemoryNeeds(const Communicator& communicator);

  /// Local, on all workers alike. What comes beside what there is. `what` goes on "1.5 MiB for ...".
  void add(std::string what, Bytes bytes);
  /// Local, on all workers alike. @throws AgreedError if it does not fit: what `purpose` needs and how it is made up,
  /// the largest part first, and the least number of workers that would do, as far as is known here. What there is now
  /// is taken to be shared out among these, but for what the program had when the limit was set and what libraries
  /// take.
  void require(const std::string& purpose) const;

  /// Local. What a worker of so many needs in all. With a limit only.
  std::uint64_t with(std::uint64_t workers) const;

 private:
  std::uint64_t held(std::uint64_t workers) const;
  std::string enough_workers() const;

  std::uint64_t _workers;
  std::uint64_t _held = 0;      ///< the most that a worker has now
  std::uint64_t _at_start = 0;  ///< the most that one had when the limit was set
  std::vector<std::pair<std::string, Bytes>> _parts;
};

/// The share of a worker of what so many have, rounded up.
inline std::uint64_t share_of(std::uint64_t all, std::uint64_t workers) { return all / workers + (all % workers != 0); }

}  // namespace kasen::comm
