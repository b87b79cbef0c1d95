/// @file
/// Bitmaps and buckets where indices are dense enough, sorting and searching where they are not.

#include "partition/sorted_indices.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace kasen::partition {
namespace {

constexpr std::uint64_t kWordBits = 64;

/// One bit of bitmap for each of `length` costs no more than the 8 bytes that each index takes anyway.
bool dense(std::size_t indices, std::uint64_t length) { return length / kWordBits <= indices; }

void set_bit(std::vector<std::uint64_t>& bits, GlobalIndex index) {
  const auto i = static_cast<std::uint64_t>(index);
  bits[i / kWordBits] |= std::uint64_t{1} << (i % kWordBits);
}

std::vector<GlobalIndex> sorted_copy(std::span<const GlobalIndexView> lists) {
  std::size_t size = 0;
  for (const GlobalIndexView& list : lists) size += list.size();
  std::vector<GlobalIndex> sorted;
  sorted.reserve(size);
  for (const GlobalIndexView& list : lists) sorted.insert(sorted.end(), list.begin(), list.end());
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

/// Whether a counter for each index of the space takes no more than twice what the indices themselves do.
bool few_counters(std::uint64_t indices, std::uint64_t length) {
  return length <= 2 * indices && indices <= std::numeric_limits<std::uint32_t>::max();
}

std::vector<std::uint32_t> counters(std::span<const GlobalIndexView> lists, std::uint64_t length) {
  std::vector<std::uint32_t> count(length);
  for (const GlobalIndexView& list : lists)
    for (const GlobalIndex index : list) ++count[static_cast<std::uint64_t>(index)];
  return count;
}

std::vector<IndexCount> counted(const std::vector<GlobalIndex>& sorted) {
  std::vector<IndexCount> result;
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::find_if(first, sorted.end(), [&](GlobalIndex index) { return index != *first; });
    result.push_back({*first, static_cast<std::uint64_t>(last - first)});
    first = last;
  }
  return result;
}

}  // namespace

std::vector<GlobalIndex> distinct(GlobalIndexView indices, std::uint64_t length) {
  if (!dense(indices.size(), length)) {
    std::vector<GlobalIndex> sorted = sorted_copy({&indices, 1});
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    return sorted;
  }
  std::vector<std::uint64_t> bits(length / kWordBits + 1);
  for (GlobalIndex index : indices) set_bit(bits, index);
  std::size_t size = 0;
  for (std::uint64_t word : bits) size += static_cast<std::size_t>(std::popcount(word));
  std::vector<GlobalIndex> result;
  result.reserve(size);
  for (std::size_t w = 0; w < bits.size(); ++w)
    for (std::uint64_t word = bits[w]; word != 0; word &= word - 1)
      result.push_back(static_cast<GlobalIndex>(w * kWordBits + static_cast<unsigned>(std::countr_zero(word))));
  return result;
}

std::vector<IndexCount> count_distinct(GlobalIndexView indices, std::uint64_t length) {
  std::vector<IndexCount> result;
  if (few_counters(indices.size(), length)) {
    const std::vector<std::uint32_t> count = counters({&indices, 1}, length);
    result.reserve(length - static_cast<std::uint64_t>(std::count(count.begin(), count.end(), 0u)));
    for (std::uint64_t i = 0; i < length; ++i)
      if (count[i] != 0) result.push_back({static_cast<GlobalIndex>(i), count[i]});
    return result;
  }
  return counted(sorted_copy({&indices, 1}));
}

IndexCounts::IndexCounts(std::span<const GlobalIndexView> lists, std::uint64_t length) {
  std::uint64_t indices = 0;
  for (const GlobalIndexView& list : lists) indices += list.size();
  if (few_counters(indices, length)) {
    _dense = counters(lists, length);
  } else {
    _listed = counted(sorted_copy(lists));
  }
}

IndexSet::IndexSet(std::vector<GlobalIndex> sorted, std::uint64_t length, std::uint64_t budget)
    : _sorted(std::move(sorted)) {
  if (_sorted.empty() || length / 8 > budget) return;
  _bits.resize(length / kWordBits + 1);
  for (GlobalIndex index : _sorted) set_bit(_bits, index);
}

bool IndexSet::contains(GlobalIndex index) const {
  if (_bits.empty()) return std::binary_search(_sorted.begin(), _sorted.end(), index);
  const auto i = static_cast<std::uint64_t>(index);
  return (_bits[i / kWordBits] >> (i % kWordBits)) & 1;
}

LocalNumbers::LocalNumbers(std::span<const GlobalIndex> keys, std::vector<LocalIndex> values) : _keys(keys) {
  if (keys.empty()) return;
  _first = keys.front();
  const auto extent = static_cast<std::uint64_t>(keys.back() - _first) + 1;
  // A direct table costs 4 bytes a slot: taken up to 8 slots for each key.
  while ((extent >> _shift) > (_shift == 0 ? 8 : 2) * keys.size()) ++_shift;
  if (_shift == 0) {
    _values.resize(extent);
    for (std::size_t k = 0; k < keys.size(); ++k) _values[static_cast<std::uint64_t>(keys[k] - _first)] = values[k];
    return;
  }
  _values = std::move(values);
  _begin.resize((extent >> _shift) + 2);
  for (GlobalIndex key : keys) ++_begin[(static_cast<std::uint64_t>(key - _first) >> _shift) + 1];
  for (std::size_t b = 1; b < _begin.size(); ++b) _begin[b] += _begin[b - 1];
}

LocalIndex LocalNumbers::search(GlobalIndex key, std::uint64_t bucket) const {
  const auto first = _keys.begin() + static_cast<std::ptrdiff_t>(_begin[bucket]);
  const auto last = _keys.begin() + static_cast<std::ptrdiff_t>(_begin[bucket + 1]);
  return _values[static_cast<std::size_t>(std::lower_bound(first, last, key) - _keys.begin())];
}

}  // namespace kasen::partition
