/// @file
/// Class ChunkMemory: memory for vectors that are too small for large pages of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kasen::runtime {

/// Blocks side by side in chunks of large pages, so that all but the last page is full. Local. What comes back leaves
/// RAM at once, a part of a large page when the system is short of memory; its addresses go when all of its chunk is
/// back.
class ChunkMemory {
 public:
  static constexpr std::uint64_t kLargestBlock = std::uint64_t{16} << 20;

  ChunkMemory() = default;
  ChunkMemory(const ChunkMemory&) = delete;
  ChunkMemory& operator=(const ChunkMemory&) = delete;
  ~ChunkMemory();

  /// A block that begins at a multiple of 4,096 bytes, and is not initialised. @param bytes at most kLargestBlock.
  /// @return null if there is not so much
  std::byte* take(std::uint64_t bytes);
  /// @param at, bytes as taken
  void give_back(std::byte* at, std::uint64_t bytes);

 private:
  struct Chunk {
    std::byte* base;
    std::uint64_t used, blocks;
  };
  std::vector<Chunk> _chunks;  ///< blocks are taken from the last
};

}  // namespace kasen::runtime
