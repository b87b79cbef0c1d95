/// @file
/// RawVector: a vector whose new elements are not set, so that memory is not used before something is written to it.
#pragma once

#include <new>
#include <utility>
#include <vector>

#include "kasen/base/large_pages.h"

namespace kasen {

/// The allocator of RawVector: elements that are made without a value are left as the memory is.
template <class T>
struct RawAllocator : LargePageAllocator<T> {
  template <class U>
  struct rebind {
    using other = RawAllocator<U>;
  };

  RawAllocator() = default;
  template <class U>
  RawAllocator(const RawAllocator<U>&) noexcept {}

  template <class U>
  void construct(U* at) noexcept {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... A>
  void construct(U* at, A&&... with) {
    ::new (static_cast<void*>(at)) U(std::forward<A>(with)...);
  }
};

/// A vector of numbers, in large pages if it is large; what `resize` and the constructor with a size add has any value.
template <class T>
using RawVector = std::vector<T, RawAllocator<T>>;

}  // namespace kasen
