/// @file
/// Hashes of C++ types, equal on all workers because they run one executable.
#pragma once

#include <cstdint>
#include <type_traits>
#include <typeinfo>

#include "kasen/base/program.h"

namespace kasen::recording {

/// 64-bit FNV-1a.
inline std::uint64_t hash_text(const char* text, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (; *text != '\0'; ++text) hash = (hash ^ static_cast<unsigned char>(*text)) * 0x100000001b3u;
  return hash;
}

/// Of the mangled name, which tells apart lambdas that print alike.
template <class T>
std::uint64_t type_hash() {
  static const std::uint64_t hash = hash_text(typeid(T).name());
  return hash;
}

template <class T>
Type type_of() {
  static_assert(std::is_trivially_copyable_v<T>, "elements are trivially copyable types");
  return {sizeof(T), type_hash<T>()};
}

}  // namespace kasen::recording
