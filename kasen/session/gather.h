/// @file
/// From a stored vector to arrays that one worker can read.
#pragma once

#include <cstddef>
#include <span>

#include "kasen/recording/slot.h"
#include "kasen/session/engine.h"

namespace kasen {

/// This worker's masters of a computed vector; valid until the next call that computes.
std::span<const std::byte> master_bytes(Engine& engine, const recording::Stored& stored);

/// Collective. The whole vector in global order into `into`, on every worker. Cost: an all-gather of the values, and
/// of 8 bytes an element unless the space is in blocks.
void gather_everywhere(Engine& engine, const recording::Stored& stored, std::byte* into, std::size_t element_bytes,
                       SourceLine where);

}  // namespace kasen
