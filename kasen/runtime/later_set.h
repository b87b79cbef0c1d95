/// @file
/// Class LaterSet: local indices that wait until those with better values have had their turn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/runtime/element_set.h"

namespace kasen::runtime {

/// Indices with values, the best of which are taken first, some part of them at a time: buckets as of delta-stepping
/// (Meyer and Sanders 2003), whose width follows from what waits. Where that turns out to be too wide, what has been
/// taken is inserted again, and half of it taken. An index that gets a better value while it waits is noted once more;
/// what is noted of one that no longer waits, or has been noted better, is dropped.
/// Memory, obtained at first: for each index a bit and a note, which is an index with a value, but for 64 at least.
/// Notes that never are come from no page that is touched.
/// @tparam Before whether a value is better than another: a strict weak order
template <class T, class Before>
class LaterSet {
 public:
  explicit LaterSet(std::size_t room) : _members(room), _most_noted(std::max(kLeastRoom, room)) {
    if (room == 0) return;
    _noted.reserve(_most_noted);
    _sample.reserve(2 * kSample);
  }

  std::uint64_t size() const { return _size; }
  /// How many notes there are.
  std::size_t noted() const { return _noted.size(); }
  const ElementSet& members() const { return _members; }
  /// @return whether there is room for so many more notes
  bool make_room(std::uint64_t notes) {
    if (_noted.size() + notes > _most_noted) drop_stale();
    return _noted.size() + notes <= _most_noted;
  }
  /// Whether a value is worse than all that was last taken, and so is to wait.
  bool waits(const T& value) const { return !_bound || Before()(*_bound, value); }
  /// @return false if it does not wait, as there is no room to note it
  bool insert(LocalIndex i, const T& value) {
    if (!make_room(1)) return _members.contains(i);
    _noted.push_back({i, value});
    _size += _members.put(i, true) ? 0 : 1;
    return true;
  }
  void erase(LocalIndex i) { _size -= _members.put(i, false) ? 1 : 0; }

  /// Calls take(i) for the best members, about such a part of them, or `most` if that is less, which leave the set
  /// before.
  template <class Take>
  void take_best(double part, std::uint64_t most, const Take& take) {
    while (_size > 0) {
      const std::uint64_t before = _size;
      move_bound(0, std::min(part, static_cast<double>(most) / static_cast<double>(_size)));
      take_within_bound(0, take);
      if (_size < before) return;  // else all that was noted may have been of indices that no longer wait
    }
  }
  /// As take_best(), of half of those that have been noted since there were `first`.
  template <class Take>
  void take_half_since(std::size_t first, const Take& take) {
    move_bound(first, 0.5);
    take_within_bound(first, take);
  }
  /// As take_best(), of all.
  template <class Take>
  void take_all(const Take& take) {
    _members.for_each_stretch([&](LocalIndex first, LocalIndex count) {
      for (LocalIndex i = first; i < first + count; ++i) take(i);
    });
    _members.clear();
    _noted.clear();
    _size = 0;
  }
  /// All leave the set, and what was taken last is forgotten: all values wait.
  void clear() {
    take_all([](LocalIndex) {});
    _bound.reset();
  }

 private:
  static constexpr std::size_t kLeastRoom = 64;
  static constexpr std::size_t kSample = 256;

  struct Noted {
    LocalIndex index;
    T value;
  };

  /// Leaves one note of each member, the last; unless most have to be left, which would take too long each time.
  void drop_stale() {
    if (_size > _noted.size() / 2) return;
    std::size_t kept = _noted.size();
    for (std::size_t k = _noted.size(); k-- > 0;) {
      if (_members.put(_noted[k].index, false)) _noted[--kept] = _noted[k];
    }
    _noted.erase(_noted.begin(), _noted.begin() + static_cast<std::ptrdiff_t>(kept));
    for (const Noted& noted : _noted) _members.insert(noted.index);
  }

  /// To the value that such a part of those noted from `first` on are better than, by a sample.
  void move_bound(std::size_t first, double part) {
    _sample.clear();
    for (std::size_t k = first, step = (_noted.size() - first) / kSample + 1; k < _noted.size(); k += step)
      _sample.push_back(_noted[k].value);
    const auto bound = _sample.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(_sample.size()) * part);
    std::nth_element(_sample.begin(), bound, _sample.end(), Before());
    _bound = *bound;
  }

  template <class Take>
  void take_within_bound(std::size_t first, const Take& take) {
    std::size_t kept = first;
    for (std::size_t k = first; k < _noted.size(); ++k) {
      const Noted noted = _noted[k];
      if (!_members.contains(noted.index)) continue;
      if (waits(noted.value)) {
        _noted[kept++] = noted;
      } else {
        erase(noted.index);
        take(noted.index);
      }
    }
    _noted.resize(kept);
    if (_size == 0) _members.clear();  // of its words, too, that have had members
  }

  ElementSet _members;
  std::vector<Noted> _noted;  ///< of each member its value at least
  const std::size_t _most_noted;
  std::uint64_t _size = 0;
  std::optional<T> _bound;  ///< the worst that was taken last
  std::vector<T> _sample;
};

}  // namespace kasen::runtime
