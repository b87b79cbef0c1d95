/// @file
/// Class ElementSet: a set of local indices that is filled here and there and walked in ascending order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/runtime/delayed.h"

namespace kasen::runtime {

/// Bits, and above each 64 words of them a word that says which have any: walking costs what is in the set, and one
/// 4096th of its room.
class ElementSet {
 public:
  static constexpr std::size_t kBits = 64;              ///< of a word
  static constexpr std::size_t kApart = kBits * kBits;  ///< members of two stretches of so many share no word

  explicit ElementSet(std::size_t room) : _words(words(room)), _summary(words(_words.size())) {}

  void insert(LocalIndex i) {
    std::uint64_t& word = _words[i / kBits];
    if (word == 0) _summary[i / kBits / kBits] |= bit(i / kBits);  // mostly it is not
    word |= bit(i);
  }
  /// As insert where `member`, without a branch.
  void insert_if(bool member, LocalIndex i) {
    _words[i / kBits] |= bit(i, member);
    _summary[i / kBits / kBits] |= bit(i / kBits, member);
  }
  /// Inserts first + k for each bit k of `members`; `first` is a multiple of kBits.
  void insert_word(LocalIndex first, std::uint64_t members) {
    _words[first / kBits] |= members;
    _summary[first / kBits / kBits] |= bit(first / kBits, members != 0);
  }
  /// Inserts or erases i, without a branch. Returns whether it was a member.
  bool put(LocalIndex i, bool member) {
    const bool was = contains(i);
    _words[i / kBits] &= ~bit(i);
    insert_if(member, i);
    return was;
  }
  /// Looks through one word for each 4,096 of its room.
  bool empty() const {
    return std::all_of(_summary.begin(), _summary.end(), [](std::uint64_t word) { return word == 0; });
  }
  bool contains(LocalIndex i) const { return (_words[i / kBits] & bit(i)) != 0; }
  /// Inserts the members of a set of the same room.
  void insert_all(const ElementSet& members) {
    members.for_each_word([&](std::size_t w) { _words[w] |= members._words[w]; });
    for (std::size_t s = 0; s < _summary.size(); ++s) _summary[s] |= members._summary[s];
  }
  void clear() {
    for_each_word([&](std::size_t w) { _words[w] = 0; });
    _summary.assign(_summary.size(), 0);
  }

  /// Sets marks[k] to 1 if first + k is in the set, and else to 0, for `words` words from `first` on, a multiple of
  /// kBits.
  void read(LocalIndex first, std::size_t words, char* marks) const {
    for (std::size_t w = 0; w < words; ++w, marks += kBits) read_word(_words[first / kBits + w], marks);
  }
  /// As read(), of one word.
  static void read_word(std::uint64_t members, char* marks) {
    for (std::size_t at = 0; at < kBits; at += 8) {
      const std::uint64_t byte = members >> at & 0xff;
      const std::uint64_t each = byte * kEach & 0x8040201008040201;    // a bit of each byte is its own
      const std::uint64_t eight = (each + 0x7f * kEach) >> 7 & kEach;  // that carries to the uppermost one
      std::memcpy(marks + at, &eight, sizeof eight);
    }
  }
  /// Inserts first + k where marks[k] is 1, which else is 0. Returns how many these are.
  std::uint64_t insert_marked(LocalIndex first, std::size_t words, const char* marks) {
    std::uint64_t inserted = 0;
    for (std::size_t w = first / kBits, end = w + words; w < end; ++w, marks += kBits) {
      const std::uint64_t marked = bits_of(marks);
      if (marked == 0) continue;
      _words[w] |= marked;
      _summary[w / kBits] |= bit(w);
      inserted += static_cast<std::uint64_t>(std::popcount(marked));
    }
    return inserted;
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

  /// Makes first + k a member where marks[k] is 1, and none where it is 0. Returns by how many there are more.
  std::int64_t replace(LocalIndex first, std::size_t words, const char* marks) {
    std::int64_t more = 0;
    for (std::size_t w = first / kBits, end = w + words; w < end; ++w, marks += kBits) {
      const std::uint64_t marked = bits_of(marks);
      more += std::popcount(marked) - std::popcount(std::exchange(_words[w], marked));
      _summary[w / kBits] |= bit(w, marked != 0);
    }
    return more;
  }

  /// Empties both sets, which have the same room, and calls visit(first, in_a, in_b) for words of which any is not 0:
  /// of the members first + k, a multiple of kBits, in ascending order. What has been visited may be inserted again
  /// meanwhile.
  template <class Visit>
  static void drain(ElementSet& a, ElementSet& b, const Visit& visit) {
    const auto take_summary = [&](std::size_t s) {
      return std::exchange(a._summary[s], 0) | std::exchange(b._summary[s], 0);
    };
    const auto approach = [&](std::size_t w) {
      __builtin_prefetch(&a._words[w], 1);
      __builtin_prefetch(&b._words[w], 1);
    };
    in_order(a._summary.size(), take_summary, approach, [&](std::size_t w) {
      const std::uint64_t in_a = std::exchange(a._words[w], 0), in_b = std::exchange(b._words[w], 0);
      if ((in_a | in_b) != 0) visit(static_cast<LocalIndex>(w * kBits), in_a, in_b);
    });
  }

 private:
  static constexpr std::size_t kApproached = 16;
  static constexpr std::uint64_t kEach = 0x0101010101010101;  ///< a 1 in each byte

  static std::size_t words(std::size_t bits) { return (bits + kBits - 1) / kBits; }
  static std::uint64_t bit(std::size_t i, bool set = true) { return std::uint64_t{set} << (i % kBits); }

  /// The word of 64 bytes that are 1 or 0.
  static std::uint64_t bits_of(const char* marks) {
    std::uint64_t word = 0;
    for (std::size_t at = 0; at < kBits; at += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, marks + at, sizeof eight);
      word |= (eight * 0x0102040810204080 >> 56) << at;  // each 1 comes to its place among the upper 8 bits
    }
    return word;
  }

  template <class Visit>
  void for_each_word(const Visit& visit) const {
    in_order(
        _summary.size(), [&](std::size_t s) { return _summary[s]; },
        [&](std::size_t w) { __builtin_prefetch(&_words[w]); }, visit);
  }

  /// Calls visit(w) for the words that summaries name, in ascending order, and approach(w) some words before: members
  /// are far apart, and each word then is a line that comes from afar. A summary is taken before its words are visited.
  template <class Summary, class Approach, class Visit>
  static void in_order(std::size_t summaries, const Summary& summary, const Approach& approach, const Visit& visit) {
    auto words = delayed<std::size_t, kApproached>(visit);
    for (std::size_t s = 0; s < summaries; ++s) {
      for (std::uint64_t left = summary(s); left != 0; left &= left - 1) {
        const std::size_t w = s * kBits + static_cast<std::size_t>(std::countr_zero(left));
        approach(w);
        words.add(w);
      }
    }
    words.finish();
  }

  std::vector<std::uint64_t> _words, _summary;
};

}  // namespace kasen::runtime
