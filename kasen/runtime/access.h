/// @file
/// Access of kernels to elements: by plain pointers, or in programs that link kasen::checked by iterators that count
/// every access. The kernels' source is the same for both.
#pragma once

#include <cstddef>

#include "kasen/runtime/kernel.h"

#ifdef KASEN_CHECKED
/// Counting makes iterations depend on each other, so loops are not vectorised.
#define KASEN_SIMD
#else
/// An output of a tile may also be an input, at the same index, so a compiler cannot prove that iterations are
/// independent; they are, as user functions are pure and their order does not matter.
#define KASEN_SIMD _Pragma("omp simd")
#endif

namespace kasen::runtime {

#ifdef KASEN_CHECKED

inline constexpr bool kCountAccesses = true;
extern const char kernels_count;  ///< in kasen::checked
/// An object whose kernels count can be linked with kasen::checked only.
[[gnu::used]] static const char* const kind_of_kernels = &kernels_count;

/// A pointer that adds one to `count`, unless null, each time an element is used.
template <class T>
class CountingPointer {
 public:
  CountingPointer(T* at, AccessCount* count) : _at(at), _count(count) {}
  T& operator[](std::size_t k) const {
    if (_count != nullptr) ++*_count;
    return _at[k];
  }

 private:
  T* _at;
  AccessCount* _count;
};

template <class T>
using Access = CountingPointer<T>;

template <class T>
Access<T> access(T* at, AccessCount* count) {
  return {at, count};
}

#else

inline constexpr bool kCountAccesses = false;
extern const char kernels_do_not_count;  ///< in kasen::kasen
/// An object whose kernels do not count can be linked with kasen::kasen only.
[[gnu::used]] static const char* const kind_of_kernels = &kernels_do_not_count;

template <class T>
using Access = T*;

template <class T>
Access<T> access(T* at, AccessCount*) {
  return at;
}

#endif

/// The counter of operand `k`, null where none is bound.
inline AccessCount* counter(AccessCount* const* counters, std::size_t k) {
  return counters == nullptr ? nullptr : counters[k];
}

}  // namespace kasen::runtime
