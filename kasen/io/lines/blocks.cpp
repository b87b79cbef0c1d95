/// @file
/// Redistribution into blocks: each element travels with its index, in one message per pair of workers.
#include "kasen/io/lines/blocks.h"

#include <cstring>
#include <string>

#include "comm/agreement.h"
#include "kasen/base/error.h"
#include "partition/assignment.h"

namespace kasen::io {

std::vector<std::byte> to_blocks(const comm::Communicator& communicator, std::uint64_t length,
                                 std::span<const GlobalIndex> index, std::span<const std::byte> values,
                                 std::uint32_t element_bytes) {
  const auto blocks = partition::Assignment::block(length, communicator.size());
  const auto workers = static_cast<std::size_t>(communicator.size());
  const std::size_t record = sizeof(GlobalIndex) + element_bytes;
  std::vector<std::uint64_t> offsets(workers + 1);
  std::vector<std::byte> records;
  comm::agree(communicator, [&] {
    if (values.size() != index.size() * element_bytes) throw InternalError("to_blocks: indices and values differ");
    for (const GlobalIndex i : index) {
      if (i < 0 || static_cast<std::uint64_t>(i) >= length) throw InternalError("to_blocks: index out of range");
      offsets[static_cast<std::size_t>(blocks.owner(i)) + 1] += record;
    }
    for (std::size_t w = 0; w < workers; ++w) offsets[w + 1] += offsets[w];
    records.resize(index.size() * record);
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t k = 0; k < index.size(); ++k) {
      auto& at = next[static_cast<std::size_t>(blocks.owner(index[k]))];
      std::memcpy(&records[at], &index[k], sizeof(GlobalIndex));
      if (element_bytes > 0) {
        std::memcpy(&records[at + sizeof(GlobalIndex)], &values[k * element_bytes], element_bytes);
      }
      at += record;
    }
  });

  const auto received =
      communicator.all_to_all(std::span<const std::byte>(records), std::span<const std::uint64_t>(offsets));
  const GlobalIndex first = blocks.block_begin(communicator.rank());
  const auto mine = static_cast<std::uint64_t>(blocks.block_begin(communicator.rank() + 1) - first);
  std::vector<std::byte> block(mine * element_bytes);
  comm::agree(communicator, [&] {
    std::vector<bool> seen(mine);
    for (std::size_t at = 0; at < received.values.size(); at += record) {
      GlobalIndex i = 0;
      std::memcpy(&i, &received.values[at], sizeof i);
      const std::uint64_t position = static_cast<std::uint64_t>(i - first);
      if (seen[position]) throw InternalError("to_blocks: index " + std::to_string(i) + " twice");
      seen[position] = true;
      if (element_bytes > 0) {
        std::memcpy(&block[position * element_bytes], &received.values[at + sizeof i], element_bytes);
      }
    }
    if (received.values.size() != mine * record) throw InternalError("to_blocks: an index is missing");
  });
  return block;
}

std::vector<std::byte> to_blocks(const comm::Communicator& communicator, const partition::IndexSpace& space,
                                 std::span<const std::byte> masters, std::uint32_t element_bytes) {
  if (space.even_blocks()) return {masters.begin(), masters.end()};
  return to_blocks(communicator, space.length(), space.global().first(space.masters()), masters, element_bytes);
}

}  // namespace kasen::io
