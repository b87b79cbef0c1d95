/// @file
/// Obtaining memory from the system, and keeping it.
#include "kasen/runtime/buffer_pool.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <limits>
#include <string>
#include <utility>

#include "kasen/base/error.h"

namespace kasen::runtime {
namespace {

constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
/// Vectors of one space are walked in step. Bases at equal offsets in their pages would compete for the same cache
/// sets, so consecutive blocks start an odd number of lines apart.
constexpr std::uint64_t kStaggerLines = 5;
constexpr std::uint64_t kStaggerSteps = 12;
constexpr std::uint64_t kStaggerBytes = kLine * kStaggerLines * kStaggerSteps;

[[noreturn]] void throw_out_of_memory(std::uint64_t bytes) {
  throw Error("out of memory: cannot obtain a buffer of " + std::to_string(bytes) + " bytes");
}

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

bool large(std::uint64_t capacity) { return capacity >= kHugePage; }

/// The bytes taken from the system for a capacity, with room for the stagger: whole pages if it is large.
std::uint64_t whole(std::uint64_t capacity) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return large(capacity) ? round_up(capacity + kStaggerBytes, page) : capacity + kStaggerBytes;
}

std::byte* take(std::uint64_t capacity) {
  const std::uint64_t bytes = whole(capacity);
  if (!large(capacity)) {
    void* at = std::aligned_alloc(kLine, bytes);
    if (at == nullptr) throw_out_of_memory(capacity);
    return static_cast<std::byte*>(at);
  }
  // One huge page more than needed, trimmed to an aligned run.
  void* raw = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (raw == MAP_FAILED) throw_out_of_memory(capacity);
  auto* begin = static_cast<std::byte*>(raw);
  const std::uint64_t skip =
      round_up(reinterpret_cast<std::uintptr_t>(begin), kHugePage) - reinterpret_cast<std::uintptr_t>(begin);
  if (skip > 0) munmap(begin, skip);
  if (skip < kHugePage) munmap(begin + skip + bytes, kHugePage - skip);
  // What fills a part of a huge page only stays in small ones. A wish: without huge pages all works, a little slower.
  madvise(begin + skip, bytes / kHugePage * kHugePage, MADV_HUGEPAGE);
  return begin + skip;
}

void give_back(std::byte* base, std::uint64_t capacity) {
  if (large(capacity)) {
    munmap(base, whole(capacity));
  } else {
    std::free(base);
  }
}

}  // namespace

/// The free memory and the accounts of a pool; lives as long as the pool and its buffers.
class BufferStock {
 public:
  ~BufferStock() {
    for (const Block& block : _free) give_back(block.base, block.capacity);
  }

  std::byte* obtain(std::uint64_t bytes, std::uint64_t capacity) {
    const auto found =
        std::find_if(_free.rbegin(), _free.rend(), [&](const Block& b) { return b.capacity == capacity; });
    std::byte* data;
    if (found != _free.rend()) {
      data = found->data;
      _used.push_back(*found);
      _free.erase(std::next(found).base());
      _bytes_kept -= capacity;
    } else {
      std::byte* base = take(capacity);
      data = base + kLine * kStaggerLines * (_blocks_taken++ % kStaggerSteps);
      _used.push_back({base, data, capacity});
    }
    _bytes_obtained += bytes;
    _bytes_in_use += capacity;
    _peak = std::max(_peak, _bytes_in_use);
    return data;
  }

  void release(std::byte* data) {
    const auto block = std::find_if(_used.begin(), _used.end(), [&](const Block& b) { return b.data == data; });
    _free.push_back(*block);
    _bytes_in_use -= block->capacity;
    _bytes_kept += block->capacity;
    _used.erase(block);
    while (_bytes_kept > _peak) {
      _bytes_kept -= _free.front().capacity;
      give_back(_free.front().base, _free.front().capacity);
      _free.pop_front();
    }
  }

  std::uint64_t bytes_obtained() const { return _bytes_obtained; }
  std::uint64_t bytes_in_use() const { return _bytes_in_use; }
  std::uint64_t bytes_kept() const { return _bytes_kept; }

 private:
  struct Block {
    std::byte* base;
    std::byte* data;
    std::uint64_t capacity;
  };
  std::deque<Block> _free, _used;
  std::uint64_t _bytes_obtained = 0, _bytes_in_use = 0, _bytes_kept = 0, _peak = 0, _blocks_taken = 0;
};

Buffer::Buffer(std::shared_ptr<BufferStock> stock, std::byte* data, std::uint64_t bytes)
    : _stock(std::move(stock)), _data(data), _bytes(bytes) {}

Buffer::~Buffer() { _stock->release(_data); }

BufferPool::BufferPool() : _stock(std::make_shared<BufferStock>()) {}

BufferRef BufferPool::obtain(std::uint64_t bytes) {
  if (bytes > std::numeric_limits<std::uint64_t>::max() / 2) throw_out_of_memory(bytes);
  const std::uint64_t capacity = round_up(std::max<std::uint64_t>(bytes, 1), kLine);
  std::byte* data = _stock->obtain(bytes, capacity);
  return std::make_shared<Buffer>(_stock, data, bytes);
}

BufferRef BufferPool::obtain(std::uint64_t elements, std::uint64_t element_bytes) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes)) {
    throw Error("a buffer of " + std::to_string(elements) + " elements of " + std::to_string(element_bytes) +
                " bytes is larger than memory can be addressed");
  }
  return obtain(bytes);
}

std::uint64_t BufferPool::bytes_obtained() const { return _stock->bytes_obtained(); }
std::uint64_t BufferPool::bytes_in_use() const { return _stock->bytes_in_use(); }
std::uint64_t BufferPool::bytes_kept() const { return _stock->bytes_kept(); }

}  // namespace kasen::runtime
