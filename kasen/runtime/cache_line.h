/// @file
/// Memory in units of a cache line, aligned to one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kasen::runtime {

struct alignas(64) CacheLine {
  std::byte bytes[64];
};

/// Lines that hold so many bytes.
constexpr std::uint64_t lines_of(std::uint64_t bytes) { return (bytes + sizeof(CacheLine) - 1) / sizeof(CacheLine); }

}  // namespace kasen::runtime
