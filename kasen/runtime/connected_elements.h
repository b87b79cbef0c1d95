/// @file
/// Class ConnectedElements: which elements of a space the non-zeros of a matrix connect on this worker, and the best
/// value of each such set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kasen/base/raw_vector.h"
#include "kasen/base/thread_team.h"
#include "kasen/runtime/disjoint_sets.h"
#include "kasen/runtime/element_set.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/parts.h"
#include "partition/replicas.h"

namespace kasen::runtime {

/// Of masters and replicas, in one loop of one run. Memory, obtained at first: an element, 4 bytes and a bit for each.
class ConnectedElements {
 public:
  /// @param elements of the space, on this worker
  /// @param identity of the reducer that says what is best; it must outlive this
  ConnectedElements(LocalIndex elements, std::span<const std::byte> identity);

  /// Says what connects.
  /// @param matrix over the space, compressed by its inputs, which stays  @param inputs all that it has here
  /// @param least elements and non-zeros that are worth a thread's while
  void prepare(const Compressed& matrix, std::span<const partition::Interval> inputs, std::uint64_t least,
               std::uint32_t threads);

  /// Before the first iteration: nothing is known.
  void forget() { _found = false; }
  bool found() const { return _found; }
  /// Finds the sets, all of which are at the identity. Allocates nothing.
  void find(ThreadTeam& team);

  /// For kernels, without x and y.
  Spreading spreading() { return {_sets.numbers().data(), _best.data(), &_better, {}, {}, {}, {}, {}, {}, {}, {}}; }
  bool any_better() const { return !_better.empty(); }
  /// To be called when the bests of all sets have been spread.
  void have_spread() { _better.clear(); }

 private:
  const std::span<const std::byte> _identity;
  Compressed _matrix;
  std::vector<Part> _parts;  ///< of its inputs
  std::vector<std::size_t> _shares;
  bool _found = false;
  DisjointSets _sets;
  RawVector<std::byte> _best;  ///< by set; what there are no sets for is never in RAM
  ElementSet _better;
};

}  // namespace kasen::runtime
