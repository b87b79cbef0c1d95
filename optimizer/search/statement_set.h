/// @file
/// Class StatementSet: a set of small numbers, stored as bits.
#pragma once

#include <bit>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kasen::optimizer {

/// A set of numbers below the size it was made for; sets that are combined or compared are made for one size.
class StatementSet {
 public:
  explicit StatementSet(std::size_t size = 0) : _words((size + 63) / 64) {}

  void insert(std::size_t i) { _words[i / 64] |= std::uint64_t{1} << (i % 64); }
  bool contains(std::size_t i) const { return (_words[i / 64] >> (i % 64) & 1) != 0; }
  StatementSet& operator|=(const StatementSet& other) {
    for (std::size_t w = 0; w < _words.size(); ++w) _words[w] |= other._words[w];
    return *this;
  }
  StatementSet& operator&=(const StatementSet& other) {
    for (std::size_t w = 0; w < _words.size(); ++w) _words[w] &= other._words[w];
    return *this;
  }
  bool within(const StatementSet& other) const {
    for (std::size_t w = 0; w < _words.size(); ++w) {
      if ((_words[w] & ~other._words[w]) != 0) return false;
    }
    return true;
  }
  bool meets(const StatementSet& other) const {
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
  auto operator<=>(const StatementSet&) const = default;

 private:
  std::vector<std::uint64_t> _words;
};

}  // namespace kasen::optimizer
