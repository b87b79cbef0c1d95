/// @file
/// Class DisjointSets: which elements are in one set, where sets are united two at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <utility>

#include "kasen/base/ids.h"
#include "kasen/base/raw_vector.h"

namespace kasen::runtime {

/// A forest, a tree for each set (Galler and Fischer 1964), in which a look halves the path that it goes along (Tarjan
/// and van Leeuwen 1984). The root is the least element, so that it does not matter in which order sets are united, and
/// on how many threads. Memory: 4 bytes an element.
class DisjointSets {
 public:
  explicit DisjointSets(LocalIndex elements) : _parent(elements) {}

  /// Makes each element a set of its own. Nothing is known before.
  void separate();

  /// Unites the sets of two elements. @tparam shared whether other threads do the same meanwhile
  template <bool shared>
  void unite(LocalIndex a, LocalIndex b) {
    if (parent(a) == parent(b)) return;
    for (;;) {
      a = root(a);
      b = root(b);
      if (a == b) return;
      if (a < b) std::swap(a, b);
      if constexpr (!shared) {
        _parent[a] = b;
        return;
      } else {
        LocalIndex still = a;
        if (at(a).compare_exchange_strong(still, b, std::memory_order_relaxed)) return;
      }
    }
  }

  /// Ends the uniting: numbers the sets from 0, by their least elements. @return how many there are
  LocalIndex number();
  /// By element, the number of its set.
  std::span<const LocalIndex> numbers() const { return _parent; }

 private:
  // Meanwhile another thread may put an element's parent nearer to the root: each that it ever had is one.
  std::atomic_ref<LocalIndex> at(LocalIndex i) { return std::atomic_ref<LocalIndex>(_parent[i]); }
  LocalIndex parent(LocalIndex i) { return at(i).load(std::memory_order_relaxed); }
  LocalIndex root(LocalIndex i) {
    for (;;) {
      const LocalIndex above = parent(i);
      if (above == i) return i;
      const LocalIndex next = parent(above);
      if (next == above) return above;
      at(i).store(next, std::memory_order_relaxed);
      i = next;
    }
  }

  RawVector<LocalIndex> _parent;  ///< in the end the number of the set
};

}  // namespace kasen::runtime
