/// @file
/// Memory in which reads beyond the end are seen.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <stdexcept>

namespace kasen::tests {

/// Elements at the end of a page, after which nothing may be read. They begin as zero.
template <class T>
class BeforeTheEnd {
 public:
  explicit BeforeTheEnd(std::size_t count) : _page(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
    _bytes = (count * sizeof(T) + _page - 1) / _page * _page;
    _pages = mmap(nullptr, _bytes + _page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (_pages == MAP_FAILED) throw std::runtime_error("no memory");
    std::byte* const end = static_cast<std::byte*>(_pages) + _bytes;
    if (mprotect(end, _page, PROT_NONE) != 0) throw std::runtime_error("a page cannot be protected");
    _elements = reinterpret_cast<T*>(end) - count;
  }
  ~BeforeTheEnd() { munmap(_pages, _bytes + _page); }
  BeforeTheEnd(const BeforeTheEnd&) = delete;
  BeforeTheEnd& operator=(const BeforeTheEnd&) = delete;

  T* data() const { return _elements; }
  T& operator[](std::size_t k) const { return _elements[k]; }

 private:
  std::size_t _page, _bytes;
  void* _pages;
  T* _elements;
};

}  // namespace kasen::tests
