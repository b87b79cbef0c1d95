/// @file
/// Sets of global indices as sorted vectors, and maps from them to local indices: built by bitmaps, counting and
/// merging, looked up in constant time, without hash tables whose order could reach a result. All are local.
#pragma once

#include <algorithm>
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

/// How often indices occur in some lists: a counter for each index of the space where these are not many, else a list.
class IndexCounts {
 public:
  IndexCounts() = default;
  /// All indices lie in [0, length). Cost: as `distinct`.
  IndexCounts(std::span<const GlobalIndexView> lists, std::uint64_t length);

  /// Whether nothing was counted.
  bool empty() const { return _dense.empty() && _listed.empty(); }
  /// Calls visit(index, count) for each index that occurs from `begin` to below `end`, ascending.
  template <class Visit>
  void for_each(std::uint64_t begin, std::uint64_t end, const Visit& visit) const {
    for (std::uint64_t i = begin; i < std::min<std::uint64_t>(end, _dense.size()); ++i)
      if (_dense[i] != 0) visit(static_cast<GlobalIndex>(i), std::uint64_t{_dense[i]});
    auto entry = std::lower_bound(_listed.begin(), _listed.end(), begin, [](const IndexCount& a, std::uint64_t index) {
      return static_cast<std::uint64_t>(a.index) < index;
    });
    for (; entry != _listed.end() && static_cast<std::uint64_t>(entry->index) < end; ++entry)
      visit(entry->index, entry->count);
  }

  /// The counts of indices that are asked for in ascending order.
  class Reader {
   public:
    explicit Reader(const IndexCounts& counts) : _dense(counts._dense), _listed(counts._listed) {}
    std::uint64_t operator()(GlobalIndex index) {
      if (!_dense.empty()) return _dense[static_cast<std::size_t>(index)];
      while (!_listed.empty() && _listed.front().index < index) _listed = _listed.subspan(1);
      return !_listed.empty() && _listed.front().index == index ? _listed.front().count : 0;
    }

   private:
    std::span<const std::uint32_t> _dense;
    std::span<const IndexCount> _listed;
  };

 private:
  std::vector<std::uint32_t> _dense;  ///< by index; one of the two
  std::vector<IndexCount> _listed;    ///< ascending
};

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
