/// @file
/// Element sizes as constants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kasen {

/// Calls f with the element size, as a constant for those of numbers and of small structs, so that copies are moves.
template <class F>
auto with_size(std::uint32_t bytes, const F& f) {
  switch (bytes) {
    case 1:
      return f(std::integral_constant<std::size_t, 1>{});
    case 2:
      return f(std::integral_constant<std::size_t, 2>{});
    case 4:
      return f(std::integral_constant<std::size_t, 4>{});
    case 8:
      return f(std::integral_constant<std::size_t, 8>{});
    case 16:
      return f(std::integral_constant<std::size_t, 16>{});
    case 24:
      return f(std::integral_constant<std::size_t, 24>{});
    default:
      return f(std::size_t{bytes});
  }
}

/// Whether two elements differ, byte by byte. @param size as of with_size
template <class Size>
bool differ(const std::byte* a, const std::byte* b, Size size) {
  const auto as = [&]<class Word>(Word x) {
    Word y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    return x != y;
  };
  if constexpr (std::is_same_v<Size, std::size_t>) {
    return std::memcmp(a, b, size) != 0;
  } else if constexpr (Size::value == 1) {
    return as(std::uint8_t{});
  } else if constexpr (Size::value == 2) {
    return as(std::uint16_t{});
  } else if constexpr (Size::value == 4) {
    return as(std::uint32_t{});
  } else if constexpr (Size::value == 8) {
    return as(std::uint64_t{});
  } else {
    static_assert(Size::value % 8 == 0, "word by word, without a branch");
    std::uint64_t x[Size::value / 8], y[Size::value / 8], difference = 0;
    std::memcpy(x, a, sizeof x);
    std::memcpy(y, b, sizeof y);
    for (std::size_t k = 0; k < Size::value / 8; ++k) difference |= x[k] ^ y[k];
    return difference != 0;
  }
}

}  // namespace kasen
