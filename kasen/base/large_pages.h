/// @file
/// Memory in large pages: fewer of them are set to zero one by one when they are first written, and a processor finds
/// elements at random places in them without going through its tables of pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <vector>

namespace kasen {

/// The size of a large page, and of the least that is worth a mapping of its own.
inline constexpr std::uint64_t kLargePage = std::uint64_t{2} << 20;

/// A mapping of at least so many bytes, which begins at a large page. The system is asked for large pages, but what
/// fills a part of one only stays in small ones; without them all works, a little slower. No page is in RAM before it
/// is written to. Local. @return null if there is not so much
std::byte* map_pages(std::uint64_t bytes) noexcept;
/// Ends a mapping of map_pages() of so many bytes.
void unmap_pages(std::byte* at, std::uint64_t bytes) noexcept;

/// The allocator of std, but what takes a large page or more is in large pages.
template <class T>
struct LargePageAllocator {
  using value_type = T;

  LargePageAllocator() = default;
  template <class U>
  LargePageAllocator(const LargePageAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) {
    if (n < kLargePage / sizeof(T)) return std::allocator<T>().allocate(n);
    if (n > std::numeric_limits<std::size_t>::max() / 2 / sizeof(T)) throw std::bad_array_new_length();
    std::byte* const at = map_pages(n * sizeof(T));
    if (at == nullptr) throw std::bad_alloc();
    return reinterpret_cast<T*>(at);
  }
  void deallocate(T* at, std::size_t n) noexcept {
    if (n < kLargePage / sizeof(T)) return std::allocator<T>().deallocate(at, n);
    unmap_pages(reinterpret_cast<std::byte*>(at), n * sizeof(T));
  }

  friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace kasen
