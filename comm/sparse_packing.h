/// @file
/// Packing and unpacking of those elements of a vector that are not at rest: at bytes that both sides know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kasen/base/combine.h"

namespace kasen::comm {

/// What sparse packing has written: so many elements, and bytes of lists that say how many and which they are.
struct Sparse {
  std::uint64_t elements = 0, list_bytes = 0;
  Sparse& operator+=(const Sparse& other) {
    elements += other.elements;
    list_bytes += other.list_bytes;
    return *this;
  }
};

/// Bytes that packing so many elements takes at most. Of none it writes nothing.
std::uint64_t most_sparse_bytes(std::uint64_t elements, std::uint32_t element_bytes);

/// Writes how many of the elements data[index[k]] are not `rest`, then which, then these elements; or, where that is
/// no more, all of them. Which they are is said by a bit for each k, or by their k, whichever takes less.
/// @param contiguous whether `index` is a run
/// @param active whether an element is not `rest`, by index; null if nobody knows
/// @return the end of what was written; adds to `sparse`.
std::byte* pack_sparse(std::byte* packed, const std::byte* data, std::span<const std::uint32_t> index,
                       std::uint32_t element_bytes, bool contiguous, const std::byte* rest, const std::uint8_t* active,
                       Sparse& sparse);

/// Sets data[index[k]] to what was packed or to `rest`, and active[index[k]] to whether it is something else.
/// @return the end of what was read.
const std::byte* unpack_sparse(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                               std::uint32_t element_bytes, const std::byte* rest, std::uint8_t* active);

/// Does data[index[k]] = op(data[index[k]], e) for what was packed. @return the end of what was read.
const std::byte* fold_sparse(const std::byte* packed, std::byte* data, std::span<const std::uint32_t> index,
                             std::uint32_t element_bytes, const Combine& combine);

}  // namespace kasen::comm
