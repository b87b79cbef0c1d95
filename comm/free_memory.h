/// @file
/// Memory that has been freed, and that the C library keeps for the next allocation.
#pragma once

#include <cstddef>
#include <span>

namespace kasen::comm {

/// Gives memory that is free back to the system, as far as whole pages are. Cost: linear in the pieces that are free.
void return_free_memory();

/// Gives memory that is in use back to the system, as far as whole pages are: what is there is lost, and 0 if it is
/// read again. For arrays that are read once, piece by piece, while others are made of them.
void discard(std::span<std::byte> memory);

}  // namespace kasen::comm
