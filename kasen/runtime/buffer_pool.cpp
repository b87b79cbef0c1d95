/// @file
/// Obtaining memory from the system, and keeping it.
#include "kasen/runtime/buffer_pool.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <list>
#include <string>
#include <utility>

#include "comm/memory_limit.h"
#include "kasen/base/error.h"
#include "kasen/base/large_pages.h"
#include "kasen/runtime/chunk_memory.h"

namespace kasen::runtime {
namespace {

constexpr std::uint64_t kLine = 64;
/// Vectors of one space are walked in step. Bases at equal offsets in their pages would compete for the same cache
/// sets, so consecutive blocks start an odd number of lines apart.
constexpr std::uint64_t kStaggerLines = 5;
constexpr std::uint64_t kStaggerSteps = 12;
constexpr std::uint64_t kStaggerBytes = kLine * kStaggerLines * kStaggerSteps;
/// Pools that have fewer bytes in use stay in small pages: of a large one too little would be used.
constexpr std::uint64_t kSmallPool = kLargePage / 2;
#ifdef __SANITIZE_ADDRESS__
constexpr bool kShares = false;  // between vectors on the heap the sanitizer sees what is out of bounds
#else
constexpr bool kShares = true;
#endif

[[noreturn]] void throw_out_of_memory(std::uint64_t bytes) {
  throw Error("out of memory: cannot obtain a buffer of " + std::to_string(bytes) + " bytes");
}

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

/// The free memory and the accounts of a pool; lives as long as the pool and its buffers.
class BufferStock {
 public:
  ~BufferStock() {
    for (const Block& block : _free) give_back(block);
  }

  std::byte* obtain(std::uint64_t capacity) {
    const auto found =
        std::find_if(_free.rbegin(), _free.rend(), [&](const Block& b) { return b.capacity == capacity; });
    if (found != _free.rend()) {
      _used.splice(_used.end(), _free, std::next(found).base());
      _bytes_kept -= capacity;
    } else {
      if (comm::memory_limit() != 0) give_back_for(capacity);
      std::list<Block> taken(1);
      Block& block = taken.front() = take(capacity);
      block.data = block.base + kLine * kStaggerLines * (_blocks_taken++ % kStaggerSteps);
      _used.splice(_used.end(), taken);
    }
    _bytes_in_use += capacity;
    _peak = std::max(_peak, _bytes_in_use);
    return _used.back().data;
  }

  /// Needs no memory.
  void release(std::byte* data) noexcept {
    const auto block = std::find_if(_used.begin(), _used.end(), [&](const Block& b) { return b.data == data; });
    _bytes_in_use -= block->capacity;
    _bytes_kept += block->capacity;
    _free.splice(_free.end(), _used, block);
    while (_bytes_kept > _peak) give_back_oldest();
  }

  std::uint64_t bytes_in_use() const { return _bytes_in_use; }
  std::uint64_t bytes_kept() const { return _bytes_kept; }

 private:
  enum class Source : std::uint8_t { heap, chunk, mapping };
  struct Block {
    std::byte* base;
    std::byte* data;
    std::uint64_t capacity;
    Source source;
    std::uint64_t whole() const { return capacity + kStaggerBytes; }  ///< bytes from base on
  };

  Block take(std::uint64_t capacity) {
    Block block{nullptr, nullptr, capacity, Source::heap};
    if (block.whole() > ChunkMemory::kLargestBlock) {
      block.source = Source::mapping;
      block.base = map_pages(block.whole());
    } else if (kShares && _bytes_in_use + capacity >= kSmallPool) {
      block.source = Source::chunk;
      block.base = _chunks.take(block.whole());
    } else {
      block.base = static_cast<std::byte*>(std::aligned_alloc(kLine, block.whole()));
    }
    if (block.base == nullptr) throw_out_of_memory(capacity);
    return block;
  }

  /// Under a limit what is new takes the place of what is kept, whatever its size.
  void give_back_for(std::uint64_t capacity) {
    const std::uint64_t kept = _bytes_kept - std::min(_bytes_kept, capacity);
    while (!_free.empty() && _bytes_kept > kept) give_back_oldest();
  }

  void give_back_oldest() {
    _bytes_kept -= _free.front().capacity;
    give_back(_free.front());
    _free.pop_front();
  }

  void give_back(const Block& block) {
    switch (block.source) {
      case Source::heap:
        return std::free(block.base);
      case Source::chunk:
        return _chunks.give_back(block.base, block.whole());
      case Source::mapping:
        return unmap_pages(block.base, block.whole());
    }
  }

  ChunkMemory _chunks;
  std::list<Block> _free, _used;
  std::uint64_t _bytes_in_use = 0, _bytes_kept = 0, _peak = 0, _blocks_taken = 0;
};

Buffer::Buffer(std::shared_ptr<BufferStock> stock, std::uint64_t bytes)
    : _stock(std::move(stock)),
      _data(_stock->obtain(round_up(std::max<std::uint64_t>(bytes, 1), kLine))),
      _bytes(bytes) {}

Buffer::~Buffer() { _stock->release(_data); }

BufferPool::BufferPool() : _stock(std::make_shared<BufferStock>()) {}

BufferRef BufferPool::obtain(std::uint64_t bytes) {
  if (bytes > std::numeric_limits<std::uint64_t>::max() / 2) throw_out_of_memory(bytes);
  return std::make_shared<Buffer>(_stock, bytes);
}

BufferRef BufferPool::obtain(std::uint64_t elements, std::uint64_t element_bytes) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(elements, element_bytes, &bytes)) {
    throw Error("a buffer of " + std::to_string(elements) + " elements of " + std::to_string(element_bytes) +
                " bytes is larger than memory can be addressed");
  }
  return obtain(bytes);
}

std::uint64_t BufferPool::bytes_in_use() const { return _stock->bytes_in_use(); }
std::uint64_t BufferPool::bytes_kept() const { return _stock->bytes_kept(); }

std::uint64_t BufferPool::unused_at_most(std::uint64_t bytes) {
  return (1 + bytes / ChunkMemory::kLargestBlock) * kLargePage;
}

}  // namespace kasen::runtime
