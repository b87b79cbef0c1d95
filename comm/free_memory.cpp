#include "comm/free_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kasen::comm {

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void discard(std::span<std::byte> memory) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const std::uintptr_t begin = (address + page - 1) / page * page, end = (address + memory.size()) / page * page;
  if (begin < end) madvise(memory.data() + (begin - address), end - begin, MADV_DONTNEED);
}

}  // namespace kasen::comm
