/// @file
/// Class Places: the places of a sweep's values while they are decided.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "optimizer/plan/plan.h"

namespace kasen::optimizer {

/// At most one place for each value, in ascending order, as Sweep::places will have them.
class Places {
 public:
  /// Adds a place of this kind, unless the value has one.
  void add(ValueId value, Place::Kind kind) {
    const auto at = lower_bound(value);
    if (at == _places.end() || at->value != value) _places.insert(at, {value, kind, 0, false, kNone<ValueId>, false});
  }
  /// The place of the value; null if it has none.
  Place* find(ValueId value) {
    const auto at = lower_bound(value);
    return at == _places.end() || at->value != value ? nullptr : &*at;
  }
  /// Where the place of the value, which has one, stands among all.
  std::size_t position(ValueId value) { return static_cast<std::size_t>(lower_bound(value) - _places.begin()); }
  Place& at(ValueId value) { return _places.at(position(value)); }
  std::size_t size() const { return _places.size(); }
  auto begin() { return _places.begin(); }
  auto end() { return _places.end(); }
  std::vector<Place> take() { return std::move(_places); }

 private:
  std::vector<Place>::iterator lower_bound(ValueId value) {
    return std::lower_bound(_places.begin(), _places.end(), value,
                            [](const Place& place, ValueId of) { return place.value < of; });
  }

  std::vector<Place> _places;
};

}  // namespace kasen::optimizer
