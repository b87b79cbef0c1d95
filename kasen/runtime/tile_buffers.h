/// @file
/// Class TileBuffers: memory for values that live within a tile only, in one piece that stays in the first-level cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/runtime/cache.h"

namespace kasen::runtime {

class TileBuffers {
 public:
  /// Makes room for `slots` buffers of `bytes` each.
  void reserve(std::uint32_t slots, std::uint64_t bytes);
  /// Buffer `slot` of that layout, aligned to 64. Starts are three cache lines apart, so that equal positions in
  /// different buffers are not mistaken for one another by their low address bits.
  std::byte* at(std::uint32_t slot, std::uint64_t bytes) { return _lines[slot * pitch(bytes)].bytes; }

 private:
  static constexpr std::uint64_t pitch(std::uint64_t bytes) { return lines_of(bytes) + 3; }

  std::vector<CacheLine> _lines;
};

inline void TileBuffers::reserve(std::uint32_t slots, std::uint64_t bytes) {
  const std::uint64_t lines = slots * pitch(bytes);
  if (lines > _lines.size()) _lines.resize(lines);
}

}  // namespace kasen::runtime
