/// @file
/// Memory that has been freed, and that the C library keeps for the next allocation.
#pragma once

namespace kasen::comm {

/// Gives memory that is free back to the system, as far as whole pages are. Cost: linear in the pieces that are free.
void return_free_memory();

}  // namespace kasen::comm
