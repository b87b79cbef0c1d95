/// @file
/// Struct ElementType: the type of the elements that outputs take as bytes.
#pragma once

#include <cstdint>
#include <type_traits>

namespace kasen::io {

/// The type of a column's or a dataset's elements.
struct ElementType {
  enum class Kind : std::uint8_t { floating_point, signed_integer, unsigned_integer, text };
  Kind kind;
  std::uint64_t bytes;  ///< of one element; for text the width, padded with NUL, UTF-8

  template <class T>
  requires std::is_arithmetic_v<T>
  static constexpr ElementType of() {
    return {std::is_floating_point_v<T> ? Kind::floating_point
            : std::is_signed_v<T>       ? Kind::signed_integer
                                        : Kind::unsigned_integer,
            sizeof(T)};
  }
  static constexpr ElementType text(std::uint64_t width) { return {Kind::text, width}; }
};

}  // namespace kasen::io
