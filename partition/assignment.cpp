/// @file
/// Computation of sizes of blocks and of a hash's salt, and packing of tables.

#include "partition/assignment.h"

#include <algorithm>
#include <string>
#include <utility>

#include "kasen/base/error.h"

namespace kasen::partition {

Assignment::Assignment(Kind kind, std::uint64_t length, int parts, std::uint64_t salt)
    : _kind(kind),
      _length(length),
      _parts(static_cast<std::uint64_t>(parts)),
      _given_salt(salt),
      _salt(salt == 0 ? 0 : mix(salt)),
      _shorter(length / _parts),
      _longer(length % _parts),
      _in_longer(_longer * (_shorter + 1)) {}

Assignment Assignment::block(std::uint64_t length, int parts) { return {Kind::block, length, parts, 0}; }

Assignment Assignment::block(std::vector<std::uint64_t> begins) {
  if (begins.size() < 2 || begins.front() != 0 || !std::is_sorted(begins.begin(), begins.end()))
    throw InternalError("blocks begin in no order");
  Assignment made = block(begins.back(), static_cast<int>(begins.size() - 1));
  if (made.parts() > 1) made._begins = std::make_shared<const std::vector<std::uint64_t>>(std::move(begins));
  return made;
}

Assignment Assignment::hash(std::uint64_t length, int parts, std::uint64_t salt) {
  return {parts == 1 ? Kind::block : Kind::hash, length, parts, salt};
}

std::size_t Assignment::table_width(int parts) { return parts <= 1 << 8 ? 1 : parts <= 1 << 16 ? 2 : 4; }

Assignment Assignment::table(std::span<const Rank> owners, int parts) {
  const std::size_t width = table_width(parts);
  std::vector<std::byte> packed(owners.size() * width);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] < 0 || owners[i] >= parts)
      throw InputError("element " + std::to_string(i) + " is given to part " + std::to_string(owners[i]) +
                       ", but parts are numbered from 0 to " + std::to_string(parts - 1));
    // The low bytes of a number come first on every machine that Kasen runs on.
    std::memcpy(&packed[i * width], &owners[i], width);
  }
  return table(owners.size(), parts, std::move(packed));
}

Assignment Assignment::table(std::uint64_t length, int parts, std::vector<std::byte> packed) {
  if (packed.size() != length * table_width(parts))
    throw InternalError("a table of owners is not as long as its space");
  if (parts == 1) return block(length, 1);
  Assignment made{Kind::table, length, parts, 0};
  made._width = table_width(parts);
  made._table = std::make_shared<const std::vector<std::byte>>(std::move(packed));
  return made;
}

std::span<const std::byte> Assignment::packed() const {
  if (_table == nullptr) return {};
  return *_table;
}

std::span<const std::uint64_t> Assignment::begins() const {
  if (_begins == nullptr) return {};
  return *_begins;
}

bool Assignment::operator==(const Assignment& other) const {
  const auto same = [](const auto& one, const auto& two) {
    return one == two || (one != nullptr && two != nullptr && *one == *two);
  };
  return _kind == other._kind && _length == other._length && _parts == other._parts && _salt == other._salt &&
         same(_table, other._table) && same(_begins, other._begins);
}

GlobalIndex Assignment::block_begin(Rank part) const {
  const auto p = static_cast<std::uint64_t>(part);
  if (_begins != nullptr) return static_cast<GlobalIndex>((*_begins)[p]);
  return static_cast<GlobalIndex>(p * _shorter + std::min(p, _longer));
}

std::uint64_t Assignment::longest_block() const {
  std::uint64_t longest = 0;
  for (Rank part = 0; part < parts(); ++part) {
    longest = std::max(longest, static_cast<std::uint64_t>(block_begin(part + 1) - block_begin(part)));
  }
  return longest;
}

}  // namespace kasen::partition
