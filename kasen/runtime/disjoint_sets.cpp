#include "kasen/runtime/disjoint_sets.h"

#include <numeric>

namespace kasen::runtime {

void DisjointSets::separate() { std::iota(_parent.begin(), _parent.end(), LocalIndex{0}); }

/// A parent is less than what it is the parent of, and so has its number before.
LocalIndex DisjointSets::number() {
  LocalIndex sets = 0;
  for (LocalIndex i = 0; i < _parent.size(); ++i) {
    const LocalIndex above = _parent[i];
    _parent[i] = above == i ? sets++ : _parent[above];
  }
  return sets;
}

}  // namespace kasen::runtime
