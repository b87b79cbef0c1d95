/// @file
/// Sizes of blocks, and the salt of a hash.

#include "partition/assignment.h"

#include <algorithm>

namespace kasen::partition {

Assignment::Assignment(Kind kind, std::uint64_t length, int parts, std::uint64_t salt)
    : _kind(kind),
      _length(length),
      _parts(static_cast<std::uint64_t>(parts)),
      _salt(salt == 0 ? 0 : mix(salt)),
      _shorter(length / _parts),
      _longer(length % _parts),
      _in_longer(_longer * (_shorter + 1)) {}

Assignment Assignment::block(std::uint64_t length, int parts) { return {Kind::block, length, parts, 0}; }

Assignment Assignment::hash(std::uint64_t length, int parts, std::uint64_t salt) {
  return {parts == 1 ? Kind::block : Kind::hash, length, parts, salt};
}

GlobalIndex Assignment::block_begin(Rank part) const {
  const auto p = static_cast<std::uint64_t>(part);
  return static_cast<GlobalIndex>(p * _shorter + std::min(p, _longer));
}

}  // namespace kasen::partition
