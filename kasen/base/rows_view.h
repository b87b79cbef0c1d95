/// @file
/// Class RowsView: rows of one width that lie one behind the other in memory.
#pragma once

#include <cstddef>
#include <span>

namespace kasen {

/// `length` rows of `width` numbers, without owning them: what a function gets of whole(X) (kasen/rows.h).
template <class T>
class RowsView {
 public:
  constexpr RowsView(const T* numbers, std::size_t length, std::size_t width)
      : _numbers(numbers), _length(length), _width(width) {}

  constexpr std::size_t size() const { return _length; }
  constexpr std::size_t width() const { return _width; }
  constexpr std::span<const T> operator[](std::size_t k) const { return {_numbers + k * _width, _width}; }
  /// All of them, one row behind the other.
  constexpr std::span<const T> numbers() const { return {_numbers, _length * _width}; }

 private:
  const T* _numbers;
  std::size_t _length, _width;
};

}  // namespace kasen
