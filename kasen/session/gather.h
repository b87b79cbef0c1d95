/// @file
/// Access to stored vectors as arrays: this worker's masters, or the whole vector on every worker.
#pragma once

#include <cstddef>
#include <span>

#include "kasen/recording/slot.h"
#include "kasen/session/engine.h"

namespace kasen {

/// This worker's masters of a computed vector; valid until the next call that computes. Local.
std::span<const std::byte> master_bytes(Engine& engine, const recording::Stored& stored);

/// Collective. Writes the whole vector in global order to `into`, on every worker. Cost: an all-gather of the values,
/// and of 8 bytes an element unless each worker owns one block of the space.
void gather_everywhere(Engine& engine, const recording::Stored& stored, std::byte* into, std::size_t element_bytes,
                       SourceLine where);

}  // namespace kasen
