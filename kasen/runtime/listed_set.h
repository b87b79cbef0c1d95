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
  explicit ListedSet(std::size_t room) : _set(room), _list(std::min(room, kListed) + 1) {}

  void begin_round() { _listed = 0; }
  /// Without a branch, as nothing foresees which elements are members.
  void put(LocalIndex i, bool member) {
    const bool was = _set.put(i, member);
    _size += member ? 1 : 0;
    _size -= was ? 1 : 0;
    _list[_listed] = i;
    _listed += member && _listed + 1 < _list.size() ? 1 : 0;
  }
  /// As ElementSet::replace. It lists none, so that the set is walked if there are any among them.
  void replace(LocalIndex first, std::size_t words, const char* marks) {
    _size += static_cast<std::uint64_t>(_set.replace(first, words, marks));
  }
  void clear() {
    _set.clear();
    _listed = 0;
    _size = 0;
  }

  /// As ElementSet::for_each_stretch.
  template <class Visit>
  void for_each_stretch(const Visit& visit) const {
    if (_listed != _size) return _set.for_each_stretch(visit);
    for (std::size_t k = 0; k < _listed;) {
      const LocalIndex first = _list[k];
      LocalIndex count = 1;
      while (++k < _listed && _list[k] == first + count) ++count;
      visit(first, count);
    }
  }

 private:
  static constexpr std::size_t kListed = std::size_t{1} << 15;  // longer lists leave the cache

  ElementSet _set;
  std::vector<LocalIndex> _list;  ///< the first _listed: of the last round; one more is a place to write to
  std::size_t _listed = 0;
  std::uint64_t _size = 0;
};

}  // namespace kasen::runtime
