/// @file
/// Looking up vertex names that live on other workers: indices out, words back.
#include "kasen/io/ids/vertex_ids.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <numeric>
#include <utility>

#include "comm/agreement.h"
#include "comm/communicator.h"
#include "kasen/base/error.h"
#include "partition/assignment.h"

namespace kasen::io {

VertexIds::VertexIds(std::uint64_t length, std::vector<std::int64_t> block)
    : _length(length), _first(block.empty() ? 0 : block.front()), _count(block.size()) {
  const auto no_successor = [](std::int64_t id, std::int64_t next) {
    return static_cast<std::uint64_t>(next) - static_cast<std::uint64_t>(id) != 1;
  };
  if (std::adjacent_find(block.begin(), block.end(), no_successor) != block.end()) _integers = std::move(block);
}

VertexIds::VertexIds(std::uint64_t length, std::int64_t first, std::uint64_t count)
    : _length(length), _first(first), _count(count) {}

VertexIds::VertexIds(const comm::Communicator& communicator, std::uint64_t length, Words block)
    : _length(length),
      _longest_word(communicator.max<std::uint64_t>(block.longest())),
      _are_words(true),
      _words(std::move(block)) {}

std::vector<std::int64_t> VertexIds::integer_block() const {
  if (!_integers.empty()) return _integers;
  std::vector<std::int64_t> block(_count);
  std::iota(block.begin(), block.end(), _first);
  return block;
}

std::vector<std::byte> VertexIds::padded_word_block(std::uint64_t width) const {
  std::vector<std::byte> padded(_words.size() * width);
  for (std::uint64_t i = 0; i < _words.size(); ++i) {
    if (!_words[i].empty()) std::memcpy(&padded[i * width], _words[i].data(), _words[i].size());
  }
  return padded;
}

std::vector<std::string> VertexIds::names(const comm::Communicator& communicator,
                                          std::span<const GlobalIndex> vertices) const {
  const auto blocks = partition::Assignment::block(_length, communicator.size());
  const auto workers = static_cast<std::size_t>(communicator.size());
  std::vector<std::uint64_t> offsets(workers + 1), place(vertices.size());
  std::vector<GlobalIndex> questions(vertices.size());
  comm::agree(communicator, [&] {
    for (const GlobalIndex v : vertices) {
      if (v < 0 || static_cast<std::uint64_t>(v) >= _length) {
        throw InternalError("no vertex " + std::to_string(v) + " among " + std::to_string(_length));
      }
      ++offsets[static_cast<std::size_t>(blocks.owner(v)) + 1];
    }
    for (std::size_t w = 0; w < workers; ++w) offsets[w + 1] += offsets[w];
    std::vector<std::uint64_t> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      place[k] = next[static_cast<std::size_t>(blocks.owner(vertices[k]))]++;
      questions[place[k]] = vertices[k];
    }
  });

  const auto asked =
      communicator.all_to_all(std::span<const GlobalIndex>(questions), std::span<const std::uint64_t>(offsets));
  const GlobalIndex first = blocks.block_begin(communicator.rank());
  Words answers;
  for (const GlobalIndex v : asked.values) {
    const std::uint64_t i = static_cast<std::uint64_t>(v - first);
    if (_are_words) {
      answers.push_back(_words[i]);
    } else {
      answers.push_back(std::to_string(integer(i)));
    }
  }
  const Words answered = all_to_all(communicator, answers, asked.offsets).values;
  std::vector<std::string> names;
  names.reserve(vertices.size());
  for (const std::uint64_t p : place) names.emplace_back(answered[p]);
  return names;
}

std::optional<std::uint64_t> VertexIds::find(std::string_view name) const {
  if (_are_words) {
    const std::uint64_t at = _words.lower_bound(name);
    return at < _words.size() && _words[at] == name ? std::optional(at) : std::nullopt;
  }
  std::int64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stopped, error] = std::from_chars(name.data(), end, number);
  if (error != std::errc() || stopped != end) return std::nullopt;
  if (_integers.empty()) {
    const std::uint64_t at = static_cast<std::uint64_t>(number) - static_cast<std::uint64_t>(_first);
    return at < _count ? std::optional(at) : std::nullopt;
  }
  const auto found = std::lower_bound(_integers.begin(), _integers.end(), number);
  if (found == _integers.end() || *found != number) return std::nullopt;
  return static_cast<std::uint64_t>(found - _integers.begin());
}

std::vector<GlobalIndex> VertexIds::vertices(const comm::Communicator& communicator,
                                             std::span<const std::string> names) const {
  const auto first = static_cast<std::uint64_t>(
      partition::Assignment::block(_length, communicator.size()).block_begin(communicator.rank()));
  std::vector<std::uint64_t> found(names.size());  // 1 more than the index, from the one worker that has the name
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (const std::optional<std::uint64_t> position = find(names[k])) found[k] = first + *position + 1;
  }
  communicator.sum(std::span<std::uint64_t>(found));
  std::vector<GlobalIndex> vertices;
  for (const std::uint64_t one_more : found) vertices.push_back(static_cast<GlobalIndex>(one_more) - 1);
  return vertices;
}

}  // namespace kasen::io
