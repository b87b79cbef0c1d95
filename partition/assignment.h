/// @file
/// Which part owns which element of an index space, as a pure function of index and number of parts: every worker
/// knows every owner without asking, and any number of parts can be planned for on one machine.
#pragma once

#include <cstdint>

#include "kasen/base/ids.h"

namespace kasen::partition {

/// The finaliser of splitmix64: a bijection of 64-bit integers that spreads neighbours evenly.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Elements 0 <= index < length to parts 0 <= part < parts.
class Assignment {
 public:
  enum class Kind : std::uint8_t {
    block,  ///< contiguous runs, the first `length mod parts` of them one element longer
    hash,   ///< by a hash of the index: even load whatever the order of the indices
  };

  /// Nothing, in one part.
  Assignment() = default;
  static Assignment block(std::uint64_t length, int parts);
  /// `salt` tells apart spaces that must not be assigned alike. Over one part a hash is one block, and is kept as such.
  static Assignment hash(std::uint64_t length, int parts, std::uint64_t salt = 0);

  Kind kind() const { return _kind; }
  std::uint64_t length() const { return _length; }
  int parts() const { return static_cast<int>(_parts); }

  /// @pre 0 <= index < length.
  Rank owner(GlobalIndex index) const {
    const auto i = static_cast<std::uint64_t>(index);
    if (_kind == Kind::hash) return static_cast<Rank>(mix(i ^ _salt) % _parts);
    if (i < _in_longer) return static_cast<Rank>(i / (_shorter + 1));
    return static_cast<Rank>(_longer + (i - _in_longer) / _shorter);
  }

  /// First index of a part's block; of part == parts, the length. @pre kind() == block.
  GlobalIndex block_begin(Rank part) const;

 private:
  Assignment(Kind kind, std::uint64_t length, int parts, std::uint64_t salt);

  Kind _kind = Kind::block;
  std::uint64_t _length = 0;
  std::uint64_t _parts = 1;
  std::uint64_t _salt = 0;
  std::uint64_t _shorter = 0;    ///< length of the shorter blocks
  std::uint64_t _longer = 0;     ///< number of blocks with one element more
  std::uint64_t _in_longer = 0;  ///< elements in those
};

}  // namespace kasen::partition
