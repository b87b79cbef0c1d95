/// @file
/// Class BitSet: a set of small numbers, stored as bits.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kasen {

/// A set of numbers below the size it was made for; sets that are combined or compared are made for one size.
class BitSet {
 public:
  explicit BitSet(std::size_t size = 0) : _words((size + 63) / 64) {}

  void insert(std::size_t i) { _words[i / 64] |= std::uint64_t{1} << (i % 64); }
  void erase(std::size_t i) { _words[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
  bool contains(std::size_t i) const { return (_words[i / 64] >> (i % 64) & 1) != 0; }
  BitSet& operator|=(const BitSet& other) {
    for (std::size_t w = 0; w < _words.size(); ++w) _words[w] |= other._words[w];
    return *this;
  }
  BitSet& operator&=(const BitSet& other) {
    for (std::size_t w = 0; w < _words.size(); ++w) _words[w] &= other._words[w];
    return *this;
  }
  bool within(const BitSet& other) const {
    for (std::size_t w = 0; w < _words.size(); ++w) {
      if ((_words[w] & ~other._words[w]) != 0) return false;
    }
    return true;
  }
  bool meets(const BitSet& other) const {
    for (std::size_t w = 0; w < _words.size(); ++w) {
      if ((_words[w] & other._words[w]) != 0) return true;
    }
    return false;
  }
  std::size_t count() const {
    std::size_t sum = 0;
    for (std::uint64_t word : _words) sum += static_cast<std::size_t>(std::popcount(word));
    return sum;
  }
  /// Calls `visit` for every member, in ascending order; it may erase the one that it is called for.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t w = 0; w < _words.size(); ++w) {
      for (std::uint64_t left = _words[w]; left != 0; left &= left - 1)
        visit(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
    }
  }
  /// The smallest member that `accepts` takes; if there is none, kNowhere.
  template <class Accepts>
  std::size_t find_first(const Accepts& accepts) const {
    for (std::size_t w = 0; w < _words.size(); ++w) {
      for (std::uint64_t left = _words[w]; left != 0; left &= left - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(std::countr_zero(left));
        if (accepts(i)) return i;
      }
    }
    return kNowhere;
  }
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  auto operator<=>(const BitSet&) const = default;

 private:
  std::vector<std::uint64_t> _words;
};

}  // namespace kasen
