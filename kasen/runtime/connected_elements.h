/// @file
/// Class ConnectedElements: which elements of a space the non-zeros of a matrix connect on this worker, and the best
/// value of each such set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
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
  /// @param matrix over the space, compressed by its inputs, which stays, and whose indices ascend within an input
  /// @param inputs all that it has here
  /// @param mirrored of a non-zero between two of so many first elements the one that mirrors it is here too
  /// @param least elements and non-zeros that are worth a thread's while
  void prepare(const Compressed& matrix, LocalIndex mirrored, std::span<const partition::Interval> inputs,
               std::uint64_t least, std::uint32_t threads);
  /// Adds what tells the outputs of a product the bests of their sets. It must outlive calls of spread().
  void add_product(std::function<void()> tell) { _products.push_back(std::move(tell)); }

  /// Before the first iteration: nothing is known.
  void forget() { _found = false; }
  bool found() const { return _found; }
  /// Finds the sets, all of which are at the identity. Allocates nothing.
  void find(ThreadTeam& team);

  /// For kernels, without x and y.
  Spreading spreading() { return {_sets.numbers().data(), _best.data(), &_better, {}, {}, {}, {}, {}, {}, {}, {}}; }
  /// Tells outputs of all products what has become better since the last time.
  void spread();

 private:
  /// Unites what the non-zeros of a part connect.
  template <class Uniting>
  void unite(Uniting sets, const Part& part) const;

  const std::span<const std::byte> _identity;
  Compressed _matrix;
  LocalIndex _mirrored = 0;
  std::uint64_t _prefetch_end = 0;  ///< up to this entry, later ones are fetched
  std::vector<Part> _parts;         ///< of its inputs
  std::vector<std::size_t> _shares;
  bool _found = false;
  DisjointSets _sets;
  RawVector<std::byte> _best;  ///< by set; what there are no sets for is never in RAM
  ElementSet _better;
  std::vector<std::function<void()>> _products;
};

}  // namespace kasen::runtime
