/// @file
/// Packing and unpacking of elements of any size between a vector's buffer and a message, and folding of packed ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kasen/base/combine.h"

namespace kasen::comm {

/// Does packed[k] = data[index[k]]; returns the end of what was written. `run`: whether index is consecutive.
std::byte* pack(std::byte* packed, const std::byte* data, std::span<const std::uint32_t> index,
                std::uint32_t element_bytes, bool run);

/// Does data[index[k]] = packed[k]; returns the end of what was read.
const std::byte* unpack(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                        std::uint32_t element_bytes, bool run);

/// Does data[index[k]] = op(data[index[k]], packed[k]); returns the end of what was read. Segments of other vectors may
/// have left `packed` unaligned for the element type: elements then pass through an aligned buffer.
const std::byte* fold(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                      std::uint32_t element_bytes, const Combine& combine);

/// The strictest alignment that a type of this size can have, up to a cache line.
std::size_t alignment_for(std::uint32_t element_bytes);

}  // namespace kasen::comm
