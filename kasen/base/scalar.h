/// @file
/// Scalar types and values known at run time only, of which expressions are made.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace kasen {

/// The types of the nodes of expressions.
enum class ScalarType : std::uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float32,
  float64,
};

/// The type of T; none for structs, pointers and what has no fixed width of its own.
template <class T>
constexpr std::optional<ScalarType> scalar_type_of() {
  if constexpr (std::is_same_v<T, bool>) {
    return ScalarType::boolean;
  } else if constexpr (std::integral<T> && sizeof(T) <= sizeof(std::uint64_t)) {
    constexpr auto first = static_cast<int>(ScalarType::int8);
    return static_cast<ScalarType>(first + 2 * std::countr_zero(sizeof(T)) + (std::is_signed_v<T> ? 0 : 1));
  } else if constexpr (std::is_same_v<T, float>) {
    return ScalarType::float32;
  } else if constexpr (std::is_same_v<T, double>) {
    return ScalarType::float64;
  } else {
    return std::nullopt;
  }
}

constexpr bool is_floating(ScalarType type) { return type >= ScalarType::float32; }
constexpr bool is_integer(ScalarType type) { return type != ScalarType::boolean && !is_floating(type); }
constexpr bool is_signed(ScalarType type) {
  return is_floating(type) ||
         (is_integer(type) && (static_cast<int>(type) - static_cast<int>(ScalarType::int8)) % 2 == 0);
}
constexpr std::uint32_t bytes_of(ScalarType type) {
  if (type == ScalarType::boolean) return 1;
  if (is_floating(type)) return type == ScalarType::float32 ? 4 : 8;
  return 1u << ((static_cast<unsigned>(type) - static_cast<unsigned>(ScalarType::int8)) / 2);
}
/// Whether every value of `from` is one of `to`; never between integers and floating-point numbers.
constexpr bool holds_all(ScalarType to, ScalarType from) {
  if (to == from) return true;
  if (is_floating(to) != is_floating(from) || bytes_of(to) <= bytes_of(from)) return false;
  return is_floating(to) || (is_integer(to) && is_integer(from) && (is_signed(to) || !is_signed(from)));
}
const char* name_of(ScalarType type);  ///< "float64"

/// Calls `f(std::type_identity<T>{})` with the C++ type of `type`.
template <class F>
decltype(auto) with_type(ScalarType type, F&& f) {
  switch (type) {
    case ScalarType::boolean:
      return f(std::type_identity<bool>{});
    case ScalarType::int8:
      return f(std::type_identity<std::int8_t>{});
    case ScalarType::uint8:
      return f(std::type_identity<std::uint8_t>{});
    case ScalarType::int16:
      return f(std::type_identity<std::int16_t>{});
    case ScalarType::uint16:
      return f(std::type_identity<std::uint16_t>{});
    case ScalarType::int32:
      return f(std::type_identity<std::int32_t>{});
    case ScalarType::uint32:
      return f(std::type_identity<std::uint32_t>{});
    case ScalarType::int64:
      return f(std::type_identity<std::int64_t>{});
    case ScalarType::uint64:
      return f(std::type_identity<std::uint64_t>{});
    case ScalarType::float32:
      return f(std::type_identity<float>{});
    case ScalarType::float64:
      break;
  }
  return f(std::type_identity<double>{});
}

/// A value with its type. `bits` holds the value's own bytes, the rest is zero, so that equal values of a type compare
/// equal (0.0 and -0.0 differ).
struct Scalar {
  ScalarType type = ScalarType::float64;
  std::uint64_t bits = 0;

  template <class T>
  static Scalar of(T value) {
    static_assert(scalar_type_of<T>().has_value());
    Scalar scalar{*scalar_type_of<T>(), 0};
    std::memcpy(&scalar.bits, &value, sizeof(T));
    return scalar;
  }
  /// The value of that type that is in memory at `from`.
  static Scalar load(ScalarType type, const void* from) {
    Scalar scalar{type, 0};
    std::memcpy(&scalar.bits, from, bytes_of(type));
    return scalar;
  }
  /// The value; T is the scalar's own type.
  template <class T>
  T as() const {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
  }
  bool operator==(const Scalar&) const = default;
};

/// The value in another type, as static_cast does; what C++ leaves undefined (a floating value that fits no integer)
/// becomes 0.
Scalar converted(const Scalar& value, ScalarType to);
/// Whether the type `to` has this value, up to rounding.
bool holds_value(const Scalar& value, ScalarType to);
std::string to_text(const Scalar& value);

}  // namespace kasen
