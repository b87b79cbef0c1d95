/// @file
/// Marks: a char for each element of a tile, 1 or 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kasen::runtime {

/// Marks the elements that are unlike `element`. All compare bytes.
void mark_unlike(const std::byte* elements, const std::byte* element, std::uint32_t bytes, std::uint32_t n,
                 char* marks);
/// Marks the elements that differ in `a` and `b`, as far as they are marked in `among` or that is null.
void mark_different(const std::byte* a, const std::byte* b, std::uint32_t bytes, std::uint32_t n, const char* among,
                    char* marks);
/// Makes all elements `element`.
void fill_with(const std::byte* element, std::uint32_t bytes, std::uint32_t n, std::byte* elements);

}  // namespace kasen::runtime
