/// @file
/// Classes GlobalIndices and GlobalIndexView: lists of global indices that take 32 bits each while all of them fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/base/raw_vector.h"
#include "kasen/base/release.h"

namespace kasen {

/// A view of global indices of either width, valid as long as what it was made of stays as it is. All is local.
class GlobalIndexView {
 public:
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = GlobalIndex;
    using difference_type = std::ptrdiff_t;
    using pointer = const GlobalIndex*;
    using reference = GlobalIndex;

    Iterator(const GlobalIndexView& of, std::size_t at) : _narrow(of._narrow), _wide(of._wide), _at(at) {}
    GlobalIndex operator*() const { return _narrow != nullptr ? GlobalIndex{_narrow[_at]} : _wide[_at]; }
    Iterator& operator++() {
      ++_at;
      return *this;
    }
    Iterator operator++(int) { return std::exchange(*this, Iterator(*this).operator++()); }
    bool operator==(const Iterator& other) const { return _at == other._at; }

   private:
    const std::uint32_t* _narrow;
    const GlobalIndex* _wide;
    std::size_t _at;
  };

  GlobalIndexView() = default;
  GlobalIndexView(std::span<const std::uint32_t> indices) : _narrow(indices.data()), _size(indices.size()) {}
  GlobalIndexView(std::span<const GlobalIndex> indices) : _wide(indices.data()), _size(indices.size()) {}
  GlobalIndexView(const std::vector<GlobalIndex>& indices) : GlobalIndexView(std::span<const GlobalIndex>(indices)) {}

  std::size_t size() const { return _size; }
  bool empty() const { return _size == 0; }
  GlobalIndex operator[](std::size_t k) const { return _narrow != nullptr ? GlobalIndex{_narrow[k]} : _wide[k]; }
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, _size}; }
  /// So many of them, from one on.
  GlobalIndexView part(std::size_t from, std::size_t number) const {
    if (_narrow != nullptr) return std::span(_narrow, _size).subspan(from, number);
    return std::span(_wide, _size).subspan(from, number);
  }

 private:
  const std::uint32_t* _narrow = nullptr;  ///< one of the two; both null if there are none
  const GlobalIndex* _wide = nullptr;
  std::size_t _size = 0;
};

/// A list of global indices, not negative ones in 32 bits each until there is one that does not fit: then all have 64.
/// All is local.
class GlobalIndices {
 public:
  GlobalIndices() = default;
  GlobalIndices(std::initializer_list<GlobalIndex> indices) { append(indices); }
  GlobalIndices(const std::vector<GlobalIndex>& indices) { append(indices); }
  explicit GlobalIndices(RawVector<std::uint32_t> indices) : _narrow(std::move(indices)) {}
  explicit GlobalIndices(RawVector<GlobalIndex> indices) : _wide(std::move(indices)), _is_wide(true) {}

  std::size_t size() const { return _is_wide ? _wide.size() : _narrow.size(); }
  bool empty() const { return size() == 0; }
  GlobalIndex operator[](std::size_t k) const { return _is_wide ? _wide[k] : GlobalIndex{_narrow[k]}; }
  GlobalIndexView view() const {
    return _is_wide ? GlobalIndexView(std::span<const GlobalIndex>(_wide))
                    : GlobalIndexView(std::span<const std::uint32_t>(_narrow));
  }
  operator GlobalIndexView() const { return view(); }
  GlobalIndexView::Iterator begin() const { return view().begin(); }
  GlobalIndexView::Iterator end() const { return view().end(); }
  bool operator==(const GlobalIndices& other) const {
    return size() == other.size() && std::equal(begin(), end(), other.begin());
  }

  void reserve(std::size_t size) { _is_wide ? _wide.reserve(size) : _narrow.reserve(size); }
  void push_back(GlobalIndex index) {
    if (!_is_wide && !fits(index)) widen();
    if (_is_wide) {
      _wide.push_back(index);
    } else {
      _narrow.push_back(static_cast<std::uint32_t>(index));
    }
  }
  /// @param index of new ones
  void resize(std::size_t size, GlobalIndex index = 0) {
    if (!_is_wide && !fits(index)) widen();
    if (_is_wide) {
      _wide.resize(size, index);
    } else {
      _narrow.resize(size, static_cast<std::uint32_t>(index));
    }
  }
  void set(std::size_t k, GlobalIndex index) {
    if (!_is_wide && !fits(index)) widen();
    if (_is_wide) {
      _wide[k] = index;
    } else {
      _narrow[k] = static_cast<std::uint32_t>(index);
    }
  }
  /// Replaces each by `change` of it.
  template <class Change>
  void transform(const Change& change) {
    for (std::size_t k = 0; k < size(); ++k) set(k, change((*this)[k]));
  }
  template <class Range>
  void append(const Range& indices) {
    if (empty()) reserve(std::size(indices));
    for (const GlobalIndex index : indices) push_back(index);
  }

  /// Whether all are in 32 bits each.
  bool narrow() const { return !_is_wide; }
  /// Takes the indices out. @pre narrow()
  RawVector<std::uint32_t> take_narrow() { return std::exchange(_narrow, {}); }
  /// A copy in 64 bits each.
  std::vector<GlobalIndex> copy() const { return {begin(), end()}; }
  /// The memory of some, which may be given back (comm::discard) once they have been read.
  std::span<std::byte> memory(std::size_t from, std::size_t number) {
    return _is_wide ? std::as_writable_bytes(std::span(_wide).subspan(from, number))
                    : std::as_writable_bytes(std::span(_narrow).subspan(from, number));
  }

 private:
  static bool fits(GlobalIndex index) {
    return static_cast<std::uint64_t>(index) <= std::numeric_limits<std::uint32_t>::max();
  }
  void widen() {
    _wide.assign(_narrow.begin(), _narrow.end());
    release(_narrow);
    _is_wide = true;
  }

  RawVector<std::uint32_t> _narrow;  ///< one of the two
  RawVector<GlobalIndex> _wide;
  bool _is_wide = false;
};

/// Empties the list and frees its memory.
inline void release(GlobalIndices& indices) { indices = GlobalIndices(); }

/// Bytes of an index below `length`, as GlobalIndices has it.
constexpr std::uint64_t bytes_of_index(std::uint64_t length) {
  return length <= std::uint64_t{1} << 32 ? sizeof(std::uint32_t) : sizeof(GlobalIndex);
}

}  // namespace kasen
