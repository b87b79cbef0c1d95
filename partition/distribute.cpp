/// @file
/// Counting sort by destination, array by array, so that little exists twice at any time.

#include "partition/distribute.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>

#include "kasen/base/release.h"

namespace kasen::partition {
namespace {

using Offsets = std::vector<std::uint64_t>;

/// The workers + 1 offsets of the entries for each worker.
Offsets count_destinations(std::span<const Rank> destination, int workers) {
  Offsets offsets(static_cast<std::size_t>(workers) + 1);
  for (Rank worker : destination) ++offsets[static_cast<std::size_t>(worker) + 1];
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

/// By numbers of type Sent on the way.
template <class Sent>
std::vector<Sent> send_as(const comm::Communicator& communicator, std::vector<GlobalIndex> indices,
                          std::span<const Rank> destination, const Offsets& offsets) {
  std::vector<Sent> ordered(indices.size());
  Offsets next = offsets;
  for (std::size_t k = 0; k < indices.size(); ++k)
    ordered[next[static_cast<std::size_t>(destination[k])]++] = static_cast<Sent>(indices[k]);
  release(indices);
  return communicator.all_to_all(std::span<const Sent>(ordered), std::span<const std::uint64_t>(offsets)).values;
}

/// Collective. Indices that all fit in 32 bits travel in them: that halves the bytes, and the copies here and there.
std::vector<GlobalIndex> send_indices(const comm::Communicator& communicator, std::vector<GlobalIndex> indices,
                                      std::span<const Rank> destination, const Offsets& offsets) {
  const auto largest = std::max_element(indices.begin(), indices.end());
  constexpr GlobalIndex kMost = std::numeric_limits<std::uint32_t>::max();
  if (communicator.max(largest == indices.end() ? GlobalIndex{0} : *largest) > kMost)
    return send_as<GlobalIndex>(communicator, std::move(indices), destination, offsets);
  const std::vector<std::uint32_t> received =
      send_as<std::uint32_t>(communicator, std::move(indices), destination, offsets);
  return {received.begin(), received.end()};
}

std::vector<std::byte> send_values(const comm::Communicator& communicator, std::vector<std::byte> values,
                                   std::uint32_t bytes, std::span<const Rank> destination, const Offsets& offsets) {
  std::vector<std::byte> ordered(values.size());
  Offsets next = offsets;
  for (std::size_t k = 0; k < destination.size(); ++k)
    std::memcpy(&ordered[next[static_cast<std::size_t>(destination[k])]++ * bytes], &values[k * bytes], bytes);
  release(values);
  Offsets in_bytes = offsets;
  for (std::uint64_t& offset : in_bytes) offset *= bytes;
  return communicator.all_to_all(std::span<const std::byte>(ordered), std::span<const std::uint64_t>(in_bytes)).values;
}

}  // namespace

Entries distribute(const comm::Communicator& communicator, Entries entries, std::span<const Rank> destination) {
  if (communicator.size() == 1) return entries;
  const Offsets offsets = count_destinations(destination, communicator.size());
  entries.prepared = nullptr;
  entries.row = send_indices(communicator, std::move(entries.row), destination, offsets);
  entries.column = send_indices(communicator, std::move(entries.column), destination, offsets);
  if (entries.value_bytes != 0)
    entries.value = send_values(communicator, std::move(entries.value), entries.value_bytes, destination, offsets);
  return entries;
}

std::vector<GlobalIndex> masters_of(const comm::Communicator& communicator, const Assignment& assignment) {
  const bool in_blocks = assignment.kind() == Assignment::Kind::block;
  const Assignment blocks = in_blocks ? assignment : Assignment::block(assignment.length(), communicator.size());
  std::vector<GlobalIndex> indices(
      static_cast<std::size_t>(blocks.block_begin(communicator.rank() + 1) - blocks.block_begin(communicator.rank())));
  std::iota(indices.begin(), indices.end(), blocks.block_begin(communicator.rank()));
  if (in_blocks) return indices;
  std::vector<Rank> destination(indices.size());
  for (std::size_t k = 0; k < indices.size(); ++k) destination[k] = assignment.owner(indices[k]);
  const Offsets offsets = count_destinations(destination, communicator.size());
  // The blocks ascend with the workers they come from, so what arrives is in order.
  return send_indices(communicator, std::move(indices), destination, offsets);
}

}  // namespace kasen::partition
