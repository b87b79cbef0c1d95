/// @file
/// Class DisjointSets: which elements are in one set, where sets are united two at a time.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>

#include "kasen/base/ids.h"
#include "kasen/base/raw_vector.h"

namespace kasen::runtime {

/// A forest, a tree for each set (Galler and Fischer 1964), in which a look halves the path that it goes along (Tarjan
/// and van Leeuwen 1984). The root is the least element, so that it does not matter in which order sets are united, and
/// on how many threads. Memory: 4 bytes an element.
class DisjointSets {
 public:
  explicit DisjointSets(LocalIndex elements) : _parent(elements) {}

  LocalIndex elements() const { return static_cast<LocalIndex>(_parent.size()); }

  /// Makes each element a set of its own. Nothing is known before.
  void separate();

  /// Unites sets; a copy in a loop stays in registers. @tparam shared whether other threads unite meanwhile
  template <bool shared>
  class Uniting {
   public:
    explicit Uniting(LocalIndex* parents) : _parents(parents) {}

    /// The root of an element's set.
    LocalIndex root(LocalIndex i) const {
      for (;;) {
        const LocalIndex above = parent(i);
        if (above == i) return i;
        const LocalIndex next = parent(above);
        if (next == above) return above;
        at(i).store(next, std::memory_order_relaxed);
        i = next;
      }
    }

    /// Unites the sets of a root and of an element: one comparison for most elements, as roots are their parents.
    /// @param root where other threads unite, too, also what was one before  @return the same, of both sets together
    LocalIndex unite(LocalIndex root, LocalIndex i) const { return parent(i) == root ? root : join(root, i); }

    /// Fetches what unite() of an element looks at first.
    void prefetch(LocalIndex i) const { __builtin_prefetch(_parents + i); }

   private:
    // Meanwhile another thread may put an element's parent nearer to the root: each that it ever had is one.
    std::atomic_ref<LocalIndex> at(LocalIndex i) const { return std::atomic_ref<LocalIndex>(_parents[i]); }
    LocalIndex parent(LocalIndex i) const { return at(i).load(std::memory_order_relaxed); }
    LocalIndex join(LocalIndex a, LocalIndex b) const {
      for (;;) {
        if constexpr (shared) a = root(a);
        b = root(b);
        if (a == b) return a;
        const auto [least, other] = std::minmax(a, b);
        if constexpr (!shared) {
          _parents[other] = least;
          return least;
        } else {
          LocalIndex still = other;
          if (at(other).compare_exchange_strong(still, least, std::memory_order_relaxed)) return least;
        }
      }
    }

    LocalIndex* _parents;
  };
  template <bool shared>
  Uniting<shared> uniting() {
    return Uniting<shared>(_parent.data());
  }

  /// Ends the uniting: numbers the sets from 0, by their least elements. @return how many there are
  LocalIndex number();
  /// By element, the number of its set.
  std::span<const LocalIndex> numbers() const { return _parent; }

 private:
  RawVector<LocalIndex> _parent;  ///< in the end the number of the set
};

}  // namespace kasen::runtime
