/// @file
/// Runs kernels over made-up elements and prints a hash of what they write: a line for each trial. The same source
/// compiled with and without optimization has to print the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "kasen/runtime/kernels.h"

namespace trial {

/// What the runs below have to know of a type of elements.
struct Elements {
  std::size_t bytes = 0;  ///< 0: there are none (the values of a Pattern)
  void (*fill)(void* elements, std::size_t n, std::uint32_t seed) = nullptr;
  std::uint64_t (*hash)(const void* elements, std::size_t n) = nullptr;
};

/// Small integers in any type, so that arithmetic is exact.
template <class T>
void draw(T& leaf, std::uint32_t& state) {
  state = state * 1664525u + 1013904223u;
  if constexpr (std::is_same_v<T, bool>) {
    leaf = (state >> 16) % 2 != 0;
  } else if constexpr (std::is_unsigned_v<T>) {
    leaf = static_cast<T>((state >> 16) % 13);
  } else {
    leaf = static_cast<T>(static_cast<int>((state >> 16) % 13) - 6);
  }
}

/// A conversion that is defined for negative numbers too.
template <class T, class From>
T to(From number) {
  if constexpr (std::is_unsigned_v<T> && !std::is_same_v<T, bool> && std::is_floating_point_v<From>) {
    return static_cast<T>(static_cast<std::int64_t>(number));
  } else {
    return static_cast<T>(number);
  }
}

template <class T>
std::uint64_t hashed(const T& leaf) {
  std::uint64_t bits = 0;
  __builtin_memcpy(&bits, &leaf, sizeof(T));
  return bits;
}

/// Generated structs have a function `leaves` that calls another for each of their numbers, padding left out.
template <class T, class F>
requires std::is_arithmetic_v<T>
void leaves(T& scalar, F&& f) { f(scalar); }

template <class T>
[[gnu::noinline]] void fill(void* elements, std::size_t n, std::uint32_t seed) {
  for (std::size_t k = 0; k < n; ++k) {
    leaves(static_cast<T*>(elements)[k], [&](auto& leaf) { draw(leaf, seed); });
  }
}

template <class T>
[[gnu::noinline]] std::uint64_t hash(const void* elements, std::size_t n) {
  std::uint64_t result = 0xcbf29ce484222325u;
  for (std::size_t k = 0; k < n; ++k) {
    leaves(static_cast<const T*>(elements)[k],
           [&](const auto& leaf) { result = (result ^ hashed(leaf)) * 0x100000001b3u; });
  }
  return result;
}

template <class T>
Elements elements() {
  if constexpr (std::is_void_v<T>) {
    return {};
  } else {
    return {sizeof(T), &fill<T>, &hash<T>};
  }
}

using kasen::runtime::ApplyKernel;
using kasen::runtime::DenseTile;
using kasen::runtime::ElementKernel;
using kasen::runtime::FoldKernel;
using kasen::runtime::MatrixKernel;
using kasen::runtime::ReduceKernel;
using kasen::runtime::Reducer;
using Dense = void (*)(const void* context, const DenseTile&);

/// Each prints "NAME KIND HASH" for every way in which the kernel can run.
void element(const char* name, const ElementKernel&, std::initializer_list<Elements> in,
             std::initializer_list<Elements> shared, const Elements& out);
void source(const char* name, const ElementKernel&, const Elements& out);
void reduce(const char* name, const ReduceKernel&, const Elements&);
void fold(const char* name, const Reducer&, const Elements&);
void take_up(const char* name, const FoldKernel&, const Elements& in, const Elements& accumulator);
void apply(const char* name, const ApplyKernel&, std::initializer_list<Elements> in, const Elements& out);
void matrix(const char* name, const MatrixKernel&, const Elements& in, const Elements& value, const Elements& out);
/// `dense` may be null.
void dense(const char* name, const MatrixKernel&, Dense mxv, Dense mxvt, const Elements& in, const Elements& value,
           const Elements& out);

}  // namespace trial
