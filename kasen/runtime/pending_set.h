/// @file
/// Class PendingSet: local indices that wait for their turn.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen::runtime {

/// A set of bits, whose words wait in a queue: those that are first to have a member are first to be visited, and the
/// members of a word are visited in ascending order, so that neighbours in memory have their turn together. What is
/// inserted behind the one that is being visited has it then; before it, in another round of the queue. So nothing is
/// visited twice before all that waited has been visited once. Memory: a bit for each index, and 5 bytes for 64.
class PendingSet {
 public:
  explicit PendingSet(std::size_t room)
      : _words((room + kBits - 1) / kBits), _queued(_words.size()), _queue(_words.size() + 1) {}

  std::uint64_t size() const { return _size; }
  bool contains(LocalIndex i) const { return (_words[i / kBits] >> (i % kBits) & 1) != 0; }
  void insert(LocalIndex i) {
    const auto w = static_cast<std::uint32_t>(i / kBits);
    const std::uint64_t bit = std::uint64_t{1} << (i % kBits);
    _size += (_words[w] & bit) == 0 ? 1 : 0;
    _words[w] |= bit;
    if (_queued[w] == 0) add(w);
  }

  /// Visits all members of the word that is next, which leave the set before they are visited. More may be inserted
  /// meanwhile. There has to be one.
  template <class Visit>
  void visit_next(const Visit& visit) {
    const std::uint32_t w = take();
    std::uint64_t left = ~std::uint64_t{0};
    while ((_words[w] & left) != 0) {
      const int at = std::countr_zero(_words[w] & left);
      const std::uint64_t bit = std::uint64_t{1} << at;
      _words[w] ^= bit;
      --_size;
      left = ~(bit | (bit - 1));
      visit(static_cast<LocalIndex>(w * kBits) + static_cast<LocalIndex>(at));
    }
    _queued[w] = 0;
    if (_words[w] != 0) add(w);
  }

  /// Calls visit(i) for each member, which stays one.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t at = _head; at != _tail; at = at + 1 == _queue.size() ? 0 : at + 1) {
      const std::uint32_t w = _queue[at];
      for (std::uint64_t left = _words[w]; left != 0; left &= left - 1)
        visit(static_cast<LocalIndex>(w * kBits) + static_cast<LocalIndex>(std::countr_zero(left)));
    }
  }

  void clear() {
    while (_size > 0) visit_next([](LocalIndex) {});
  }

  /// An index: where the queue is long enough, of the word that is next after so many others, a member if it has any.
  LocalIndex guess(std::size_t words) const {
    const std::size_t at = _head + words;
    const std::uint32_t w = _queue[at < _queue.size() ? at : at % _queue.size()];
    const int first = _words[w] == 0 ? 0 : std::countr_zero(_words[w]);
    return static_cast<LocalIndex>(w * kBits) + static_cast<LocalIndex>(first);
  }

 private:
  static constexpr std::size_t kBits = 64;

  void add(std::uint32_t w) {
    _queued[w] = 1;
    _queue[_tail] = w;
    if (++_tail == _queue.size()) _tail = 0;
  }
  std::uint32_t take() {
    const std::uint32_t w = _queue[_head];
    if (++_head == _queue.size()) _head = 0;
    return w;
  }

  std::vector<std::uint64_t> _words;
  std::vector<std::uint8_t> _queued;  ///< by word: it is in the queue, or being visited
  std::vector<std::uint32_t> _queue;
  std::size_t _head = 0, _tail = 0;
  std::uint64_t _size = 0;
};

}  // namespace kasen::runtime
