/// @file
/// Sets of global indices as sorted vectors, and maps from them to local indices: built by bitmaps, counting and
/// merging, looked up in constant time, without hash tables whose order could reach a result. All are local.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kasen/base/global_indices.h"
#include "kasen/base/ids.h"

namespace kasen::partition {

/// The distinct values among `indices`, ascending. All lie in [0, length).
/// Cost: linear, with a bitmap, while length is at most 64 times the number of indices; else a sort.
std::vector<GlobalIndex> distinct(GlobalIndexView indices, std::uint64_t length);

/// A distinct index and how often it occurs.
struct IndexCount {
  GlobalIndex index;
  std::uint64_t count;
};

/// The distinct values among `indices` with their numbers of occurrences, ascending. Cost: as `distinct`.
std::vector<IndexCount> count_distinct(GlobalIndexView indices, std::uint64_t length);
/// The same of several lists together.
std::vector<IndexCount> count_distinct(std::span<const GlobalIndexView> lists, std::uint64_t length);

/// A sorted set, in which membership can be looked up.
class IndexSet {
 public:
  /// `sorted` is ascending and distinct, within [0, length). Uses a bitmap if that takes at most `budget` bytes.
  IndexSet(std::vector<GlobalIndex> sorted, std::uint64_t length, std::uint64_t budget);
  bool contains(GlobalIndex index) const;
  bool empty() const { return _sorted.empty(); }

 private:
  std::vector<GlobalIndex> _sorted;
  std::vector<std::uint64_t> _bits;
};

/// A map from global to local indices. The keys are cut into buckets by their leading bits, about two for each key;
/// where keys are dense a bucket is one key and a look-up one access.
class LocalNumbers {
 public:
  /// `keys` is ascending and distinct and outlives the object; `values` parallel to it.
  LocalNumbers(std::span<const GlobalIndex> keys, std::vector<LocalIndex> values);

  /// @pre key is one of the keys.
  LocalIndex operator[](GlobalIndex key) const {
    const std::uint64_t bucket = static_cast<std::uint64_t>(key - _first) >> _shift;
    if (_shift == 0) return _values[bucket];
    return search(key, bucket);
  }

 private:
  LocalIndex search(GlobalIndex key, std::uint64_t bucket) const;

  std::span<const GlobalIndex> _keys;
  GlobalIndex _first = 0;
  unsigned _shift = 0;
  std::vector<LocalIndex> _values;    ///< by key where _shift is 0, else by position
  std::vector<std::uint64_t> _begin;  ///< first position of each bucket, where _shift is not 0
};

}  // namespace kasen::partition
