/// @file
/// Class WorkerPairs: a set of directed pairs of workers, small where pairs follow a pattern, however many they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kasen {

/// A set of pairs of a worker that holds replicas and another one that owns their masters. They are kept in the order
/// of their distance, (owner - holder) mod P, and then of the holder, as runs: if all share something with all, or each
/// with its neighbours, these are one or a few whatever P is, and never more than there are pairs.
class WorkerPairs {
 public:
  struct Pair {
    std::uint32_t holder = 0, owner = 0;
  };
  /// Numbers from `first` on.
  struct Run {
    std::uint64_t first = 0, count = 0;
    std::uint64_t end() const { return first + count; }
    bool operator==(const Run&) const = default;
  };

  WorkerPairs() = default;  ///< none
  /// Holder and owner of each are below `workers`, and not the same; pairs may occur many times.
  /// Cost: sorts as many numbers.
  WorkerPairs(std::uint32_t workers, std::span<const Pair> pairs);
  /// Runs of positions, distance * workers + holder, ascending and not adjacent, from `workers` to its square.
  /// @throws InputError if they are not
  WorkerPairs(std::uint32_t workers, std::vector<Run> runs);
  /// By holder, runs of the distances of its owners, each from 1 to below the number of holders, ascending and apart.
  /// Cost: linear in these runs and in those of the result, and P^2 / 64 words are looked at unless all are alike.
  static WorkerPairs of_distances(std::span<const std::vector<Run>> by_holder);
  /// The first `count` pairs in the order above.
  static WorkerPairs nearest(std::uint32_t workers, std::uint64_t count);

  std::uint64_t count() const;
  std::span<const Run> runs() const { return _runs; }
  /// The pairs with holder and owner exchanged. Cost: linear in runs, but for sorting those of one distance.
  WorkerPairs turned() const;
  /// Adds pairs of as many workers. Cost: linear in the runs of both.
  void insert(const WorkerPairs& others);
  bool operator==(const WorkerPairs&) const = default;

 private:
  void append(std::uint64_t first, std::uint64_t end);

  std::uint32_t _workers = 0;
  std::vector<Run> _runs;  ///< of positions, ascending, never adjacent
};

}  // namespace kasen
