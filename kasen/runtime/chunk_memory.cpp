#include "kasen/runtime/chunk_memory.h"

#include <algorithm>
#include <functional>
#include <span>

#include "comm/free_memory.h"
#include "kasen/base/large_pages.h"

namespace kasen::runtime {
namespace {

constexpr std::uint64_t kChunk = 2 * ChunkMemory::kLargestBlock;  ///< bytes of addresses, most of them never in RAM
constexpr std::uint64_t kPage = 4096;

std::uint64_t in_pages(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

ChunkMemory::~ChunkMemory() {
  for (const Chunk& chunk : _chunks) unmap_pages(chunk.base, kChunk);
}

std::byte* ChunkMemory::take(std::uint64_t bytes) {
  if (_chunks.empty() || _chunks.back().used + bytes > kChunk) {
    _chunks.reserve(_chunks.size() + 1);
    std::byte* const base = map_pages(kChunk);
    if (base == nullptr) return nullptr;
    _chunks.push_back({base, 0, 0});
  }
  Chunk& chunk = _chunks.back();
  std::byte* const at = chunk.base + chunk.used;
  chunk.used += in_pages(bytes);
  ++chunk.blocks;
  return at;
}

void ChunkMemory::give_back(std::byte* at, std::uint64_t bytes) {
  const auto chunk = std::find_if(_chunks.begin(), _chunks.end(), [&](const Chunk& some) {
    return !std::less<>{}(at, some.base) && std::less<>{}(at, some.base + kChunk);
  });
  if (--chunk->blocks > 0) return comm::discard({at, in_pages(bytes)});
  unmap_pages(chunk->base, kChunk);
  _chunks.erase(chunk);
}

}  // namespace kasen::runtime
