/// @file
/// Class SettlingOrder: which of the elements that have been improved is to be pushed on next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasen/base/program.h"
#include "kasen/runtime/element_set.h"
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
/// been improved later, the best go first (LaterSet), from then on also in the iterations that follow: what waits when
/// one ends has its turn in a later one. Where most becomes better than what it was pushed by, as longest ways do, the
/// best are those that others will improve most often, and all have their turn as they were improved, again, within the
/// limits of what goes in order. All memory is obtained at first.
template <class T, ReducerKind kind>
class SettlingOrder {
 public:
  explicit SettlingOrder(LocalIndex masters) : _pushed(kHasBest ? masters : 0), _later(kHasBest ? masters : 0) {}

  /// Where nothing is known of an iteration before. @param in_order whether it is known that much is pushed again
  void forget(bool in_order) {
    _in_order = in_order && kHasBest;
    _in_turn = false;
    _part = kMostAtOnce;
    _ordered = _entries = _again = _improved = _gains = 0;
    _pushed.clear();
    _later.clear();
  }
  /// Before the elements of an iteration have their turn. @param pending what has it next
  void begin(PendingSet& pending) { _pending = &pending; }
  bool in_order() const { return _in_order; }
  /// @return whether an element that was improved in the iteration before has its turn later. If it is so for the first
  /// of two products, it is for the second: go_on(), which alone gives elements their turn, is not called between
  bool puts_off(LocalIndex i, const T& value) { return _in_order && (_pending->contains(i) || defer(i, value)); }
  /// An element that has been improved, as one whose value is `from` was pushed.
  void add(LocalIndex i, const T& value, const T& from) {
    if constexpr (kHasBest) {
      _improved += 1;
      _gains += Better<T, kind>()(value, from) ? 1 : 0;
    }
    if (!_in_order || !defer(i, value)) _pending->insert(i);
  }
  /// An element of so many entries is pushed.
  void push(LocalIndex i, std::uint64_t entries) {
    if constexpr (kHasBest) {
      _entries += entries;
      if (_pushed.put(i, true)) _again += entries;
    }
  }
  /// Before more have their turn. @param most about how many may have it at once
  /// @param value_of(i) what i is by now
  template <class ValueOf>
  void go_on(std::uint64_t most, const ValueOf& value_of) {
    if constexpr (kHasBest) {
      if (!_in_order) {
        _in_order = kOneAgain * _again > _entries;
        return;
      }
      if (2 * _gains > _improved && !std::exchange(_in_turn, true)) end();
      if (_in_turn) return;
      const std::uint64_t waiting = _pending->size();
      if (waiting == 0) {
        if (kOneAgain * _again < _entries) _part = std::min(kMostAtOnce, 2 * _part);
        take_best(most);
      } else if (waiting > kTooMany * std::max(most, _ordered) && _later.make_room(waiting)) {
        defer_pending(value_of);
        take_best(most);
      } else if (waiting > kFew && kTooMany * _again > _entries && _entries > kEntries * waiting &&
                 _later.make_room(waiting)) {
        _part = std::max(_part / 2, kLeastAtOnce);
        halve(value_of);
      } else {
        return;
      }
      _entries = _again = 0;
    }
  }
  /// Makes a set of what is pending or waits, and has its turn in an iteration to come.
  void put_off(ElementSet& these) const {
    these.clear();
    _pending->for_each([&](LocalIndex i) { these.insert(i); });
    if (_later.size() > 0) these.insert_all(_later.members());
  }
  /// What waits is pending.
  void end() {
    _later.take_all([&](LocalIndex i) { _pending->insert(i); });
  }

 private:
  /// Flags and bits have no best.
  static constexpr bool kHasBest =
      (kind == ReducerKind::minimum || kind == ReducerKind::maximum) && !std::is_same_v<T, bool>;
  /// The best go first as soon as of so many entries one has been pushed again,
  static constexpr std::uint64_t kOneAgain = 8;
  /// and half of those that have their turn wait again as soon as of so many entries, pushed since they have it, one
  /// had been pushed before; or as soon as there are so many times as many as should be.
  static constexpr std::uint64_t kTooMany = 2;
  /// So many entries for each of those have to be pushed before: they are all looked at.
  static constexpr std::uint64_t kEntries = 4;
  /// Of what waits such a part has its turn next: each time that half of those have to wait again, half the part, and
  /// twice the part after those of which few were pushed again. For each part all notes are looked through.
  static constexpr double kMostAtOnce = 0.75, kLeastAtOnce = 1.0 / 16;
  static constexpr std::uint64_t kFew = 32;  ///< have their turn together: to choose among them takes as long

  void take_best(std::uint64_t most) {
    const double few = static_cast<double>(kFew) / static_cast<double>(std::max<std::uint64_t>(_later.size(), 1));
    _later.take_best(std::min(std::max(_part, few), kMostAtOnce), most, [&](LocalIndex i) { _pending->insert(i); });
    _ordered = _pending->size();
  }
  template <class ValueOf>
  void defer_pending(const ValueOf& value_of) {
    while (_pending->size() > 0) _pending->visit_next([&](LocalIndex i) { _later.insert(i, value_of(i)); });
  }
  /// Of what has its turn, the better half keeps it.
  template <class ValueOf>
  void halve(const ValueOf& value_of) {
    const std::size_t first = _later.noted();
    defer_pending(value_of);
    _later.take_half_since(first, [&](LocalIndex i) { _pending->insert(i); });
  }
  /// Whether the element is to wait until it is among the best.
  bool defer(LocalIndex i, const T& value) {
    if constexpr (kHasBest) {
      if (_in_turn || _pending->contains(i)) return false;
      if (_later.waits(value) && _later.insert(i, value)) return true;
      _later.erase(i);
    }
    return false;
  }

  PendingSet* _pending = nullptr;
  bool _in_order = false;
  bool _in_turn = false;  ///< the best no longer go first
  double _part = kMostAtOnce;
  std::uint64_t _ordered = 0;   ///< how many were given their turn last
  std::uint64_t _entries = 0;   ///< pushed since those that have their turn got it; before the best go first, in all
  std::uint64_t _again = 0;     ///< those of them of elements that had been pushed before
  std::uint64_t _improved = 0;  ///< how often something was
  std::uint64_t _gains = 0;     ///< how often it became better than what it was pushed by
  ElementSet _pushed;
  using Noted = std::conditional_t<kHasBest, T, std::uint8_t>;
  LaterSet<Noted, Better<Noted, kind>> _later;
};

}  // namespace kasen::runtime
