/// @file
/// Keys that are equal for calls of the same function: its types, and the bytes of what function and call hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <typeinfo>

#include "kasen/recording/type_mark.h"

namespace kasen::recording {

/// A key of a function: equal keys mean the same function with the same plain values.
struct FunctionKey {
  const void* type = nullptr;  ///< a type_mark; null: a function that is equal to no other
  std::string bytes;
  auto operator<=>(const FunctionKey&) const = default;
};

void append_bytes(std::string& to, const void* from, std::size_t bytes);

/// Of the names, one behind the other.
std::uint64_t hash_of_names(std::initializer_list<const char*> names);

/// A hash of the names of types, which workers can compare as they run one executable; marks differ between processes.
template <class... T>
std::uint64_t name_hash() {
  static const std::uint64_t hash = hash_of_names({typeid(T).name()...});
  return hash;
}

/// The bytes that a function or plain value holds. Floating-point numbers compare by bits: 0.0 and -0.0 differ.
/// Specialised for wrappers, whose members are appended one by one.
template <class T>
struct HeldBytes {
  static constexpr bool kFloat = std::is_same_v<T, float> || std::is_same_v<T, double>;
  /// @return false if bytes cannot tell values apart: there is padding, or copying runs code.
  static bool append(std::string& to, const T& value) {
    if constexpr (std::is_empty_v<T>) {
      return true;
    } else if constexpr (kFloat || std::has_unique_object_representations_v<T>) {
      append_bytes(to, &value, sizeof(T));
      return true;
    } else {
      return false;
    }
  }
};

/// The key of a function whose types are `T` (its own, its operands', its result's) and that holds `held`.
template <class... T, class... Held>
FunctionKey function_key(const Held&... held) {
  FunctionKey key{&type_mark<T...>, {}};
  if (!(HeldBytes<Held>::append(key.bytes, held) && ...)) return {};
  return key;
}

}  // namespace kasen::recording
