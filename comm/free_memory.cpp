#include "comm/free_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "kasen/base/large_pages.h"

namespace kasen::comm {
namespace {

constexpr int kCollapse = 25;  ///< MADV_COLLAPSE of Linux 6.1 and later; others refuse it

std::span<std::byte> whole_pages(std::span<std::byte> memory) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t begin = (address + page - 1) / page * page, end = (address + memory.size()) / page * page;
  return begin < end ? memory.subspan(begin - address, end - begin) : std::span<std::byte>();
}

}  // namespace

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void discard(std::span<std::byte> memory) {
  const std::span<std::byte> pages = whole_pages(memory);
  if (!pages.empty()) madvise(pages.data(), pages.size(), MADV_DONTNEED);
}

void keep_in_small_pages(std::span<std::byte> memory) {
  if (memory.size() < kLargePage) return;
  const std::span<std::byte> pages = whole_pages(memory);
  madvise(pages.data(), pages.size(), MADV_NOHUGEPAGE);
}

void move_to_large_pages(std::span<std::byte> memory) {
  if (memory.size() < kLargePage) return;
  const std::span<std::byte> pages = whole_pages(memory);
  madvise(pages.data(), pages.size(), MADV_HUGEPAGE);
  madvise(pages.data(), pages.size(), kCollapse);
}

}  // namespace kasen::comm
