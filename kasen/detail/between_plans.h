/// @file
/// Calls that workers make together and that are no part of a plan: scans, sorting, quantiles, matrices made of others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

#include "kasen/base/hash.h"
#include "kasen/base/source_location.h"
#include "kasen/recording/function_key.h"

namespace kasen::detail {

/// Collective. How such a call begins. @param given a hash of what it is given beside vectors, which are compared when
/// their blocks are taken
/// @throws ProgramError in a recorded block; AgreedError if another worker makes another call, or gives it another
/// thing
void begin_between_plans(const char* call, std::uint64_t given, SourceLocation where);

/// Of a function, by its type, and a plain value beside it, by the bytes that can tell it apart.
template <class F, class T>
std::uint64_t hash_of_given(const T& value) {
  std::string bytes;
  recording::HeldBytes<T>::append(bytes, value);
  return recording::name_hash<F, T>() ^ hash_of(bytes);
}
template <class T>
std::uint64_t hash_of_list(std::span<const T> list) {
  return hash_of(std::string(reinterpret_cast<const char*>(list.data()), list.size_bytes()));
}

}  // namespace kasen::detail
