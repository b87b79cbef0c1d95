/// @file
/// Hash table of the distinct vertex ids that one worker meets while it reads, numbered 0, 1, 2, ... in the order of
/// their first appearance, so that edges can be kept as small numbers until every id's global index is known.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "kasen/base/release.h"
#include "kasen/io/lines/words.h"

namespace kasen::io {

/// Throws InputError: one worker met more distinct ids than the table can number.
[[noreturn]] void throw_too_many_ids();

inline void prefetch(const std::vector<std::int64_t>& keys, std::uint64_t i) { __builtin_prefetch(&keys[i]); }
inline void prefetch(const Words& keys, std::uint64_t i) { __builtin_prefetch(keys[i].data()); }

/// A table with open addressing over a list of keys: slots hold a key's number and the leading half of its hash, which
/// tells nearly all other keys apart and is all that growing needs. Ids come in batches, because the memory that one of
/// them needs can then be fetched while others are looked up: graphs in random order are bound by that.
template <class Keys, class Hash>
class IdTable {
 public:
  IdTable() : _slots(std::uint64_t{1} << kFirstBits) {}

  /// Looks up the numbers of a batch of ids, some hundreds at once; ids that have not been met get new ones.
  void number(const Keys& batch, std::span<std::uint32_t> numbers) {
    if (_keys.size() + batch.size() > kMostKeys) throw_too_many_ids();
    while (2 * (_keys.size() + batch.size()) > _slots.size()) grow();
    _marks.resize(batch.size());
    for (std::uint64_t k = 0; k < batch.size(); ++k) {
      _marks[k] = static_cast<std::uint32_t>(Hash()(batch[k]) >> 32);
      __builtin_prefetch(&_slots[_marks[k] >> _shift]);
    }
    for (const std::uint32_t mark : _marks) {
      const Slot& slot = _slots[mark >> _shift];
      if (slot.number != kFree) prefetch(_keys, slot.number);
    }
    for (std::uint64_t k = 0; k < batch.size(); ++k) {
      std::uint64_t at = _marks[k] >> _shift;
      while (_slots[at].number != kFree && !(_slots[at].mark == _marks[k] && _keys[_slots[at].number] == batch[k])) {
        at = (at + 1) & (_slots.size() - 1);
      }
      if (_slots[at].number == kFree) {
        _slots[at] = {static_cast<std::uint32_t>(_keys.size()), _marks[k]};
        _keys.push_back(batch[k]);
      }
      numbers[k] = _slots[at].number;
    }
  }

  /// The distinct ids, by number.
  const Keys& keys() const { return _keys; }
  /// The same, taken out of the table, which is not used any more.
  Keys take_keys() {
    release(_slots);
    return std::move(_keys);
  }

 private:
  static constexpr std::uint32_t kFree = 0xffffffffu;
  static constexpr int kFirstBits = 12;
  static constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 31;
  struct Slot {
    std::uint32_t number = kFree;
    std::uint32_t mark = 0;
  };

  void grow() {
    std::vector<Slot> old(2 * _slots.size());
    old.swap(_slots);
    --_shift;
    for (const Slot& slot : old) {
      if (slot.number == kFree) continue;
      std::uint64_t at = slot.mark >> _shift;
      while (_slots[at].number != kFree) at = (at + 1) & (_slots.size() - 1);
      _slots[at] = slot;
    }
  }

  Keys _keys;
  std::vector<Slot> _slots;  ///< a power of two of them, at least half of them free; chosen by a mark's leading bits
  int _shift = 32 - kFirstBits;
  std::vector<std::uint32_t> _marks;  ///< of the batch
};

/// A hash whose leading bits depend on all bits of the key.
struct HashInteger {
  std::uint64_t operator()(std::int64_t key) const {
    const std::uint64_t mixed = static_cast<std::uint64_t>(key) * 0x9e3779b97f4a7c15u;
    return (mixed ^ (mixed >> 32)) * 0x9e3779b97f4a7c15u;
  }
};
struct HashWord {
  std::uint64_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
};

using IntegerTable = IdTable<std::vector<std::int64_t>, HashInteger>;
using WordTable = IdTable<Words, HashWord>;

}  // namespace kasen::io
