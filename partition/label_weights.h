/// @file
/// Class LabelWeights: the weights with which a vertex is joined to the labels of its neighbours.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace kasen::partition {

inline constexpr std::uint32_t kNoLabel = std::numeric_limits<std::uint32_t>::max();

/// A table from labels to weights, which is used anew for every vertex. Local.
class LabelWeights {
 public:
  struct Label {
    std::uint32_t label = kNoLabel;
    std::uint32_t at = 0;  ///< the first local index that it was met at
    std::uint64_t weight = 0;
  };
  /// Empties it for at most `number` labels.
  void clear(std::size_t number) {
    _mask = std::bit_ceil(2 * number + 2) - 1;
    if (_slots.size() <= _mask) _slots.resize(_mask + 1);
    for (std::size_t k = 0; k <= _mask; ++k) _slots[k] = kEmpty;
    _met.clear();
  }
  void add(std::uint32_t label, std::uint64_t weight, std::uint32_t at) {
    std::size_t slot = label * 0x9e3779b9u >> 7 & _mask;
    for (; _slots[slot] != kEmpty; slot = (slot + 1) & _mask) {
      Label& known = _met[_slots[slot]];
      if (known.label != label) continue;
      known.weight += weight;
      return;
    }
    _slots[slot] = static_cast<std::uint32_t>(_met.size());
    _met.push_back({label, at, weight});
  }
  /// In the order in which they were met.
  const std::vector<Label>& met() const { return _met; }

 private:
  static constexpr std::uint32_t kEmpty = std::numeric_limits<std::uint32_t>::max();
  std::size_t _mask = 0;
  std::vector<std::uint32_t> _slots;
  std::vector<Label> _met;
};

}  // namespace kasen::partition
