/// @file
/// Mappings that begin at a large page.
#include "kasen/base/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

namespace kasen {
namespace {

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

std::uint64_t in_pages(std::uint64_t bytes) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return round_up(bytes, page);
}

}  // namespace

std::byte* map_pages(std::uint64_t bytes) noexcept {
  // One large page more than needed, trimmed to an aligned run.
  const std::uint64_t length = in_pages(bytes);
  void* const raw = mmap(nullptr, length + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(raw);
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uint64_t skip = round_up(address, kLargePage) - address;
  if (skip > 0) munmap(begin, skip);
  if (skip < kLargePage) munmap(begin + skip + length, kLargePage - skip);
  madvise(begin + skip, length / kLargePage * kLargePage, MADV_HUGEPAGE);
  return begin + skip;
}

void unmap_pages(std::byte* at, std::uint64_t bytes) noexcept { munmap(at, in_pages(bytes)); }

}  // namespace kasen
