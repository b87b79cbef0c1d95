/// @file
/// Class VertexIds: the ids that vertices have in the input, spread over the workers in blocks of global indices, so
/// that results come back under the names they were given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/io/lines/words.h"

namespace kasen::comm {
class Communicator;
}

namespace kasen::io {

/// Each worker holds the ids of its block (partition::Assignment::block); ids ascend with the global index.
class VertexIds {
 public:
  VertexIds() = default;
  /// Local. @param length of all blocks together; @param block this worker's, which takes no memory if each id is one
  /// more than the one before.
  VertexIds(std::uint64_t length, std::vector<std::int64_t> block);
  /// Local. This worker's block is `first`, `first` + 1, ..., so many.
  VertexIds(std::uint64_t length, std::int64_t first, std::uint64_t count);
  /// Collective.
  VertexIds(const comm::Communicator& communicator, std::uint64_t length, Words block);

  std::uint64_t length() const { return _length; }
  /// Whether the ids are words, not integers.
  bool words() const { return _are_words; }
  /// Bytes of the longest word on any worker; 0 for integers.
  std::uint64_t longest_word() const { return _longest_word; }
  /// This worker's block; empty if the ids are words. Made by the call.
  std::vector<std::int64_t> integer_block() const;
  /// The id at a position of this worker's block. @pre the ids are integers
  std::int64_t integer(std::uint64_t position) const {
    return _integers.empty() ? _first + static_cast<std::int64_t>(position) : _integers[position];
  }
  /// This worker's block; empty if the ids are integers.
  const Words& word_block() const { return _words; }
  /// This worker's block of words, each padded with NUL to `width` >= longest_word() bytes.
  std::vector<std::byte> padded_word_block(std::uint64_t width) const;

  /// Collective. The ids of any vertices, as they stand in the input; every worker may ask for other ones, or none.
  /// @throws AgreedError if an index is out of range.
  std::vector<std::string> names(const comm::Communicator& communicator, std::span<const GlobalIndex> vertices) const;
  /// Local. The position in this worker's block of the vertex of this name, if it is there.
  std::optional<std::uint64_t> find(std::string_view name) const;
  /// Collective. The vertices of these names, which every worker gives alike; -1 where there is none.
  /// Cost: a search per name, and one sum over workers.
  std::vector<GlobalIndex> vertices(const comm::Communicator& communicator, std::span<const std::string> names) const;

 private:
  std::uint64_t _length = 0, _longest_word = 0;
  bool _are_words = false;
  std::int64_t _first = 0;              ///< of integers that follow each other
  std::uint64_t _count = 0;             ///< of integers
  std::vector<std::int64_t> _integers;  ///< empty if they follow each other
  Words _words;
};

}  // namespace kasen::io
