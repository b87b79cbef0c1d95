/// @file
/// Class Words: a compact list of words, in which vertex names are kept and sent: all bytes in one piece, and the ends.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kasen::comm {
class Communicator;
}

namespace kasen::io {

/// Words in the order they were added. Memory: 8 bytes a word beside its own bytes.
class Words {
 public:
  std::uint64_t size() const { return _ends.size(); }
  std::string_view operator[](std::uint64_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : _ends[i - 1];
    return {_bytes.data() + begin, _ends[i] - begin};
  }
  void push_back(std::string_view word) {
    _bytes.insert(_bytes.end(), word.begin(), word.end());
    _ends.push_back(_bytes.size());
  }
  void clear() {
    _ends.clear();
    _bytes.clear();
  }
  /// The number of bytes of all words together.
  std::uint64_t bytes() const { return _bytes.size(); }
  /// The bytes of words [begin, end), one after the other.
  std::span<const char> bytes(std::uint64_t begin, std::uint64_t end) const;
  /// The number of bytes of the longest word; 0 if there is none.
  std::uint64_t longest() const;
  /// The position of the first word that is not less, or their number. @pre words ascend by their bytes
  std::uint64_t lower_bound(std::string_view word) const;
  bool operator==(const Words&) const = default;

 private:
  friend struct WordsBuilder;
  std::vector<char> _bytes;
  std::vector<std::uint64_t> _ends;
};

/// Words from every worker, by rank: those of worker w are [offsets[w], offsets[w + 1]).
struct ReceivedWords {
  Words values;
  std::vector<std::uint64_t> offsets;
};

/// Collective. Sends words to workers: `offsets` (workers + 1) cut `words` by receiver. Cost: two all-to-alls.
ReceivedWords all_to_all(const comm::Communicator& communicator, const Words& words,
                         std::span<const std::uint64_t> offsets);

/// Collective. All workers' words, by rank. Cost: two all-gathers.
ReceivedWords all_gather(const comm::Communicator& communicator, const Words& words);

}  // namespace kasen::io
