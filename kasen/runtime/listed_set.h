/// @file
/// Class ListedSet: a set of local indices, and a list of them where they are few.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/runtime/element_set.h"

namespace kasen::runtime {

/// Changed in rounds, each of which names some elements in ascending order. Where every member has been named in the
/// last round, a list is walked instead of the set: members that are far apart are found in a third of the time.
class ListedSet {
 public:
  explicit ListedSet(std::size_t room) : _set(room) { _list.reserve(std::min(room, kListed)); }

  void begin_round() { _list.clear(); }
  void put(LocalIndex i, bool member) {
    const bool was = _set.contains(i);
    if (member) {
      if (!was) _set.insert(i), ++_size;
      if (_list.size() < kListed) _list.push_back(i);
    } else if (was) {
      _set.erase(i);
      --_size;
    }
  }
  /// As ElementSet::insert_marked, of elements that are not in the set.
  void insert_marked(LocalIndex first, std::size_t words, const char* marks) {
    _size += _set.insert_marked(first, words, marks);
  }
  void clear() {
    _set.clear();
    _list.clear();
    _size = 0;
  }

  /// As ElementSet::for_each_stretch.
  template <class Visit>
  void for_each_stretch(const Visit& visit) const {
    if (_list.size() != _size) return _set.for_each_stretch(visit);
    for (std::size_t k = 0; k < _list.size();) {
      const LocalIndex first = _list[k];
      LocalIndex count = 1;
      while (++k < _list.size() && _list[k] == first + count) ++count;
      visit(first, count);
    }
  }

 private:
  static constexpr std::size_t kListed = std::size_t{1} << 15;  // longer lists leave the cache

  ElementSet _set;
  std::vector<LocalIndex> _list;  ///< of the last round
  std::uint64_t _size = 0;
};

}  // namespace kasen::runtime
