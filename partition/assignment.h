/// @file
/// Class Assignment: which part owns which element of an index space, as a pure function that every worker can
/// evaluate for any index: nobody has to be asked, and any number of parts can be planned for on one machine.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen::partition {

/// The finaliser of splitmix64: a bijection of 64-bit integers that spreads neighbours evenly.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Maps elements 0 <= index < length to parts 0 <= part < parts. Local, like all it does.
class Assignment {
 public:
  enum class Kind : std::uint8_t {
    block,  ///< contiguous runs: the first `length mod parts` of them one element longer, or of given lengths
    hash,   ///< by a hash of the index: even load whatever the order of the indices
    table,  ///< given for each element: by METIS, a file or a function
  };

  /// An assignment of no elements to one part.
  Assignment() = default;
  static Assignment block(std::uint64_t length, int parts);
  /// Part p is the run from begins[p] up to begins[p + 1], which is not less; the first is 0, the last the length.
  static Assignment block(std::vector<std::uint64_t> begins);
  /// `salt` tells apart spaces that must not be assigned alike. Over one part the kind is block.
  static Assignment hash(std::uint64_t length, int parts, std::uint64_t salt = 0);
  /// Assigns element i to `owners[i]`, whose length is that of the space. The whole table is on every worker, each
  /// owner in as few bytes as hold the number of parts (1, 2 or 4): 64 workers and 40 million elements take 40 MB on
  /// each. Copies share it. Over one part the kind is block. @throws InputError if an owner is none of the parts.
  static Assignment table(std::span<const Rank> owners, int parts);
  /// The same from a table as packed() gives it. @throws InternalError if its size does not fit.
  static Assignment table(std::uint64_t length, int parts, std::vector<std::byte> packed);
  /// The number of bytes that an owner takes in a table.
  static std::size_t table_width(int parts);

  Kind kind() const { return _kind; }
  std::uint64_t length() const { return _length; }
  int parts() const { return static_cast<int>(_parts); }

  /// @pre 0 <= index < length.
  Rank owner(GlobalIndex index) const {
    const auto i = static_cast<std::uint64_t>(index);
    if (_kind == Kind::hash) return static_cast<Rank>(mix(i ^ _salt) % _parts);
    if (_kind == Kind::table) return looked_up(i);
    if (_begins != nullptr) return found(i);
    if (i < _in_longer) return static_cast<Rank>(i / (_shorter + 1));
    return static_cast<Rank>(_longer + (i - _in_longer) / _shorter);
  }

  /// The first index of a part's block; for part == parts, the length. @pre kind() == block.
  GlobalIndex block_begin(Rank part) const;
  /// The length of the longest block. @pre kind() == block.
  std::uint64_t longest_block() const;
  /// Where given blocks begin, and the length; empty for others.
  std::span<const std::uint64_t> begins() const;

  /// The table, `table_width(parts())` bytes an element; empty for other kinds.
  std::span<const std::byte> packed() const;
  std::uint64_t salt() const { return _given_salt; }

  /// Whether both give the same owners by the same rule.
  bool operator==(const Assignment& other) const;

 private:
  Assignment(Kind kind, std::uint64_t length, int parts, std::uint64_t salt);

  Rank looked_up(std::uint64_t index) const {
    const std::byte* const at = _table->data() + index * _width;
    if (_width == 1) return static_cast<Rank>(*at);
    if (_width == 2) {
      std::uint16_t owner;
      std::memcpy(&owner, at, sizeof owner);
      return owner;
    }
    Rank owner;
    std::memcpy(&owner, at, sizeof owner);
    return owner;
  }

  /// The last part that begins at the index or before; those without elements come before it.
  Rank found(std::uint64_t index) const {
    return static_cast<Rank>(std::upper_bound(_begins->begin(), _begins->end() - 1, index) - _begins->begin() - 1);
  }

  Kind _kind = Kind::block;
  std::uint64_t _length = 0;
  std::uint64_t _parts = 1;
  std::uint64_t _given_salt = 0, _salt = 0;
  std::uint64_t _shorter = 0;    ///< length of the shorter blocks
  std::uint64_t _longer = 0;     ///< number of blocks with one element more
  std::uint64_t _in_longer = 0;  ///< elements in those
  std::size_t _width = 0;        ///< bytes of an owner in the table
  std::shared_ptr<const std::vector<std::byte>> _table;
  std::shared_ptr<const std::vector<std::uint64_t>> _begins;
};

}  // namespace kasen::partition
