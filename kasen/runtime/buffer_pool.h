/// @file
/// Class BufferPool: memory for vectors in large pages, with bases that do not collide in caches, and reuse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kasen/runtime/contents.h"
#include "kasen/runtime/live_value.h"

namespace kasen::runtime {

class BufferStock;

/// A piece of memory, which goes back to the pool it came from when its last holder ends.
class Buffer {
 public:
  Buffer(std::shared_ptr<BufferStock> stock, std::uint64_t bytes);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return _data; }       ///< aligned to 64 bytes
  std::uint64_t bytes() const { return _bytes; }  ///< as asked for
  Contents& contents() { return _contents; }      ///< kept up to date by checked builds (state_check.h)

 private:
  std::shared_ptr<BufferStock> _stock;
  std::byte* _data;
  std::uint64_t _bytes;
  Contents _contents;
};

/// The pool that buffers come from. Local. Buffers may outlive the pool. What comes back is kept for requests of the
/// same size, last in, first out, up to as many bytes as were ever in use at once; what exceeds that goes back to the
/// system, oldest first. Under a limit (comm/memory_limit.h) a request of another size gives as much of it back before.
class BufferPool {
 public:
  BufferPool();

  /// A buffer of `bytes` bytes, also of 0, which are not initialised. @throws Error if there is not so much.
  BufferRef obtain(std::uint64_t bytes);
  /// The same for an array. @throws Error also if the product overflows.
  BufferRef obtain(std::uint64_t elements, std::uint64_t element_bytes);

  std::uint64_t bytes_in_use() const;  ///< rounded up to what was really taken
  std::uint64_t bytes_kept() const;    ///< free, waiting to be used again
  /// About the most bytes of RAM that so many bytes of buffers of up to ChunkMemory::kLargestBlock take beside them:
  /// what is left over of pages that they share.
  static std::uint64_t unused_at_most(std::uint64_t bytes);

 private:
  std::shared_ptr<BufferStock> _stock;
};

}  // namespace kasen::runtime
