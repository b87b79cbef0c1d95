/// @file
/// Class SettlingOrder: which of the elements that have been improved is to be pushed on next.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kasen/base/program.h"
#include "kasen/runtime/later_set.h"
#include "kasen/runtime/pending_set.h"

namespace kasen::runtime {

/// Whether a value is better than another: less, or with ReducerKind::maximum greater. NaN is better than any.
template <class T, ReducerKind kind>
struct Better {
  bool operator()(const T& a, const T& b) const {
    if (a != a || b != b) return b == b;
    return kind == ReducerKind::minimum ? a < b : b < a;
  }
};

/// What is improved is pushed on in the order in which it was first improved, which is that of a breadth-first search:
/// no better can be done where all non-zeros add the same. Where much is pushed again, as what it was pushed by has
/// been improved later, the best go first (LaterSet). All memory is obtained at first.
template <class T, ReducerKind kind>
class SettlingOrder {
 public:
  explicit SettlingOrder(LocalIndex masters) : _later(kHasBest ? masters : 0) {}

  /// Before elements are pushed on. @param pending what has its turn next
  void begin(PendingSet& pending) {
    _pending = &pending;
    _best_first = false;
  }
  /// An element that has been improved.
  void add(LocalIndex i, const T& value) {
    if (!_best_first || !defer(i, value)) _pending->insert(i);
  }
  /// After some have had their turn. @param entries that have been pushed in all
  /// @param again those of elements that had been pushed before
  void go_on(std::uint64_t entries, std::uint64_t again) {
    if constexpr (kHasBest) {
      if (!_best_first) {
        _best_first = kOneAgain * again > entries;
      } else if (_pending->size() == 0) {
        take_best();
      }
    }
  }
  /// What is left is pending.
  void end() {
    while (_later.size() > 0) take_best();
    _later.clear();
  }

 private:
  /// Flags and bits have no best.
  static constexpr bool kHasBest =
      (kind == ReducerKind::minimum || kind == ReducerKind::maximum) && !std::is_same_v<T, bool>;
  /// The best go first as soon as of so many entries one has been pushed again.
  static constexpr std::uint64_t kOneAgain = 8;

  void take_best() {
    if constexpr (kHasBest) _later.take_best([&](LocalIndex i) { _pending->insert(i); });
  }
  /// Whether the element is to wait until it is among the best.
  bool defer(LocalIndex i, const T& value) {
    if constexpr (kHasBest) {
      if (_pending->contains(i)) return false;
      if (_later.waits(value) && _later.insert(i, value)) return true;
      _later.erase(i);
    }
    return false;
  }

  PendingSet* _pending = nullptr;
  bool _best_first = false;
  using Noted = std::conditional_t<kHasBest, T, std::uint8_t>;
  LaterSet<Noted, Better<Noted, kind>> _later;
};

}  // namespace kasen::runtime
