/// @file
/// From a vector to plain arrays in the order of files, for verifiers.
#pragma once

#include <cstring>
#include <vector>

#include "kasen/base/source_location.h"
#include "kasen/io/lines/blocks.h"
#include "kasen/kasen.h"

namespace apps {

/// Collective. This worker's block of a vector (kasen::block_of), whatever the assignment of its space.
template <class T>
std::vector<T> block_values(const kasen::Vector<T>& v, kasen::SourceLocation where = kasen::SourceLocation::current()) {
  const auto mine = kasen::detail::masters(v, "block_values", kasen::recording::source_line(where));
  std::vector<std::byte> bytes(mine.values.begin(), mine.values.end());
  const std::uint64_t length = kasen::workers::sum<std::uint64_t>(mine.values.size() / sizeof(T));
  if (kasen::workers::sum<std::uint64_t>(mine.index.size()) > 0) {
    bytes = kasen::io::to_blocks(kasen::detail::control(), length, mine.index, mine.values, sizeof(T));
  }
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace apps
