/// @file
/// Redistribution of elements that are spread over the workers in any order into contiguous blocks, the order of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "comm/communicator.h"
#include "kasen/base/ids.h"
#include "partition/index_space.h"

namespace kasen::io {

/// Collective. Brings elements that are spread over the workers in any order into blocks.
/// @param index  global indices of this worker's elements; every index of [0, length) is on exactly one worker.
/// @param values element_bytes bytes for each of `index`.
/// @return this worker's block of partition::Assignment::block(length, workers), in order.
/// @throws AgreedError if some index is missing, twice there or out of range.
/// Cost: one all-to-all of 8 + element_bytes bytes an element.
std::vector<std::byte> to_blocks(const comm::Communicator& communicator, std::uint64_t length,
                                 std::span<const GlobalIndex> index, std::span<const std::byte> values,
                                 std::uint32_t element_bytes);

/// Collective. The same for a vector over an index space. Cost: a copy, if masters are in such blocks already.
/// @param masters the elements of this worker's masters, by local index
std::vector<std::byte> to_blocks(const comm::Communicator& communicator, const partition::IndexSpace& space,
                                 std::span<const std::byte> masters, std::uint32_t element_bytes);

}  // namespace kasen::io
