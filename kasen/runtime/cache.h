/// @file
/// Cache lines as units of memory, and prefetching of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kasen::runtime {

struct alignas(64) CacheLine {
  std::byte bytes[64];
};

/// The number of lines that hold so many bytes.
constexpr std::uint64_t lines_of(std::uint64_t bytes) { return (bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine); }

/// Prefetches the lines [first, end) from `at`.
inline void prefetch(const std::byte* at, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t line = first; line < end; ++line) __builtin_prefetch(at + line * sizeof(CacheLine));
}

}  // namespace kasen::runtime
