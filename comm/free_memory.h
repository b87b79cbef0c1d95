/// @file
/// Memory that the system may have back, and in which pages it is.
#pragma once

#include <cstddef>
#include <span>

namespace kasen::comm {

/// Gives memory that is free back to the system, as far as whole pages are. Cost: linear in the pieces that are free.
void return_free_memory();

/// Gives memory that is in use back to the system, as far as whole pages are: what is there is lost, and 0 if it is
/// read again. For arrays that are read once, piece by piece, while others are made of them.
void discard(std::span<std::byte> memory);

/// For memory that was mapped in large pages, before anything is written to it: it is in small ones, so that no more is
/// in RAM than was written. For arrays that are filled at many places at once.
void keep_in_small_pages(std::span<std::byte> memory);

/// What is in such memory moves to large pages, as far as they are full, if the system can do so. Cost: a copy.
void move_to_large_pages(std::span<std::byte> memory);

}  // namespace kasen::comm
