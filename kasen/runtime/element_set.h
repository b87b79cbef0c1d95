/// @file
/// Class ElementSet: a set of local indices that is filled here and there and walked in ascending order.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen::runtime {

/// Bits, and above each 64 words of them a word that says which have any: walking costs what is in the set, and one
/// 4096th of its room.
class ElementSet {
 public:
  explicit ElementSet(std::size_t room) : _words(words(room)), _summary(words(_words.size())) {}

  void insert(LocalIndex i) {
    _words[i / kBits] |= bit(i);
    _summary[i / kBits / kBits] |= bit(i / kBits);
  }
  void erase(LocalIndex i) { _words[i / kBits] &= ~bit(i); }
  bool contains(LocalIndex i) const { return (_words[i / kBits] & bit(i)) != 0; }
  void clear() {
    for_each_word([&](std::size_t w) { _words[w] = 0; });
    _summary.assign(_summary.size(), 0);
  }

  /// Calls visit(first, count) for stretches of members, in ascending order. Two may touch.
  template <class Visit>
  void for_each_stretch(const Visit& visit) const {
    for_each_word([&](std::size_t w) {
      std::uint64_t left = _words[w];
      while (left != 0) {
        const int first = std::countr_zero(left);
        const int count = std::countr_one(left >> first);
        visit(static_cast<LocalIndex>(w * kBits) + static_cast<LocalIndex>(first), static_cast<LocalIndex>(count));
        left = first + count == static_cast<int>(kBits) ? 0 : left >> (first + count) << (first + count);
      }
    });
  }

  /// Empties both sets, which have the same room, and calls visit(i, in_a, in_b) for each of their members, in
  /// ascending order. What has been visited may be inserted again meanwhile.
  template <class Visit>
  static void drain(ElementSet& a, ElementSet& b, const Visit& visit) {
    for (std::size_t s = 0; s < a._summary.size(); ++s) {
      std::uint64_t left = a._summary[s] | b._summary[s];
      a._summary[s] = b._summary[s] = 0;
      for (; left != 0; left &= left - 1) {
        const std::size_t w = s * kBits + static_cast<std::size_t>(std::countr_zero(left));
        const std::uint64_t in_a = std::exchange(a._words[w], 0), in_b = std::exchange(b._words[w], 0);
        for (std::uint64_t rest = in_a | in_b; rest != 0; rest &= rest - 1) {
          const int at = std::countr_zero(rest);
          visit(static_cast<LocalIndex>(w * kBits) + static_cast<LocalIndex>(at), (in_a >> at & 1) != 0,
                (in_b >> at & 1) != 0);
        }
      }
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  static std::size_t words(std::size_t bits) { return (bits + kBits - 1) / kBits; }
  static std::uint64_t bit(std::size_t i) { return std::uint64_t{1} << (i % kBits); }

  template <class Visit>
  void for_each_word(const Visit& visit) const {
    for (std::size_t s = 0; s < _summary.size(); ++s) {
      for (std::uint64_t left = _summary[s]; left != 0; left &= left - 1)
        visit(s * kBits + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }

  std::vector<std::uint64_t> _words, _summary;
};

}  // namespace kasen::runtime
