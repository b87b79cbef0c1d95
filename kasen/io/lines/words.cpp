/// @file
/// Moving words between workers: their lengths, then their bytes.
#include "kasen/io/lines/words.h"

#include <algorithm>
#include <utility>

#include "comm/communicator.h"

namespace kasen::io {

struct WordsBuilder {
  static ReceivedWords from(const comm::Received<std::uint32_t>& lengths, std::vector<char> bytes) {
    ReceivedWords result;
    result.offsets = lengths.offsets;
    result.values._bytes = std::move(bytes);
    result.values._ends.reserve(lengths.values.size());
    std::uint64_t end = 0;
    for (const std::uint32_t length : lengths.values) result.values._ends.push_back(end += length);
    return result;
  }
};

namespace {

std::vector<std::uint32_t> lengths_of(const Words& words) {
  std::vector<std::uint32_t> lengths(words.size());
  for (std::uint64_t i = 0; i < words.size(); ++i) lengths[i] = static_cast<std::uint32_t>(words[i].size());
  return lengths;
}

}  // namespace

std::span<const char> Words::bytes(std::uint64_t begin, std::uint64_t end) const {
  const std::uint64_t first = begin == 0 ? 0 : _ends[begin - 1];
  const std::uint64_t last = end == 0 ? 0 : _ends[end - 1];
  return {_bytes.data() + first, last - first};
}

std::uint64_t Words::longest() const {
  std::uint64_t longest = 0;
  for (std::uint64_t i = 0; i < size(); ++i) longest = std::max<std::uint64_t>(longest, (*this)[i].size());
  return longest;
}

std::uint64_t Words::lower_bound(std::string_view word) const {
  std::uint64_t low = 0, high = size();
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if ((*this)[middle] < word) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

ReceivedWords all_to_all(const comm::Communicator& communicator, const Words& words,
                         std::span<const std::uint64_t> offsets) {
  const std::vector<std::uint32_t> lengths = lengths_of(words);
  std::vector<std::uint64_t> byte_offsets(offsets.size());
  for (std::size_t w = 0; w < offsets.size(); ++w) byte_offsets[w] = words.bytes(0, offsets[w]).size();
  const auto received = communicator.all_to_all(std::span<const std::uint32_t>(lengths), offsets);
  auto bytes = communicator.all_to_all(words.bytes(0, words.size()), std::span<const std::uint64_t>(byte_offsets));
  return WordsBuilder::from(received, std::move(bytes.values));
}

ReceivedWords all_gather(const comm::Communicator& communicator, const Words& words) {
  const std::vector<std::uint32_t> lengths = lengths_of(words);
  const auto received = communicator.all_gather(std::span<const std::uint32_t>(lengths));
  auto bytes = communicator.all_gather(words.bytes(0, words.size()));
  return WordsBuilder::from(received, std::move(bytes.values));
}

}  // namespace kasen::io
