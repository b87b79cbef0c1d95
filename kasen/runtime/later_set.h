/// @file
/// Class LaterSet: local indices that wait until those with better values have had their turn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen::runtime {

/// Indices with values, the best of which are taken first, three quarters of them at a time: buckets as of
/// delta-stepping (Meyer and Sanders 2003), whose width follows from what waits. An index that gets a better value
/// while it waits is noted once more, if there is room; what is noted of one that no longer waits is dropped.
/// Memory, obtained at first: a bit for each index, and an index with its value for an eighth of them, or for 64.
/// @tparam Before whether a value is better than another: a strict weak order
template <class T, class Before>
class LaterSet {
 public:
  explicit LaterSet(std::size_t room) : _words((room + kBits - 1) / kBits), _most_noted(std::max(kFew, room / 8)) {
    if (room == 0) return;
    _noted.reserve(_most_noted);
    _sample.reserve(2 * kSample);
  }

  std::uint64_t size() const { return _size; }
  /// Whether a value is worse than all that has been taken, and so is to wait.
  bool waits(const T& value) const { return !_bound || Before()(*_bound, value); }
  /// @return false if it does not wait, as there is no room to note it
  bool insert(LocalIndex i, const T& value) {
    if (_noted.size() == _most_noted) return contains(i);
    _noted.push_back({i, value});
    _size += contains(i) ? 0 : 1;
    _words[i / kBits] |= bit(i);
    return true;
  }
  void erase(LocalIndex i) {
    _size -= contains(i) ? 1 : 0;
    _words[i / kBits] &= ~bit(i);
  }
  /// Of a set without members: forgets what was taken.
  void clear() {
    _noted.clear();
    _bound.reset();
  }
  /// Calls take(i) for the best members, which leave the set before.
  template <class Take>
  void take_best(const Take& take) {
    while (_size > 0 && !take_within_next_bound(take)) {
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  static constexpr std::size_t kFew = 64;  ///< so many have room in any case, and are taken at once
  static constexpr std::size_t kSample = 256;

  struct Noted {
    LocalIndex index;
    T value;
  };

  static std::uint64_t bit(LocalIndex i) { return std::uint64_t{1} << (i % kBits); }
  bool contains(LocalIndex i) const { return (_words[i / kBits] & bit(i)) != 0; }

  void move_bound() {
    _sample.clear();
    for (std::size_t k = 0, step = _noted.size() / kSample + 1; k < _noted.size(); k += step)
      _sample.push_back(_noted[k].value);
    const std::size_t rank = _noted.size() > kFew ? _sample.size() * 3 / 4 : _sample.size() - 1;
    const auto bound = _sample.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(_sample.begin(), bound, _sample.end(), Before());
    _bound = *bound;
  }

  /// @return whether there were any: all that was noted may have been of indices that no longer wait
  template <class Take>
  bool take_within_next_bound(const Take& take) {
    move_bound();
    const std::uint64_t before = _size;
    std::size_t kept = 0;
    for (const Noted noted : _noted) {
      if (!contains(noted.index)) continue;
      if (waits(noted.value)) {
        _noted[kept++] = noted;
      } else {
        erase(noted.index);
        take(noted.index);
      }
    }
    _noted.resize(kept);
    return _size < before;
  }

  std::vector<std::uint64_t> _words;  ///< a bit for each member
  std::vector<Noted> _noted;          ///< of each member its value at least
  const std::size_t _most_noted;
  std::uint64_t _size = 0;
  std::optional<T> _bound;  ///< the worst that has been taken
  std::vector<T> _sample;
};

}  // namespace kasen::runtime
