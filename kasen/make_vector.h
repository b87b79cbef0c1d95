/// @file
/// How vectors come into a program: from values that the workers have.
#pragma once

#include <span>
#include <type_traits>

#include "kasen/arrays.h"
#include "kasen/base/source_location.h"

namespace kasen {

namespace detail {
recording::SlotId make_vector(Space space, std::span<const std::byte> block, Type type, SourceLocation where);
}

/// Collective. A vector from values in global order, of which each worker gives its block: as many as
/// block_of(space).count. Not in a recorded block. The space is assigned, if it is not yet.
/// @throws (agreed) ProgramError if a worker gives another number of values.
/// Cost: every value crosses the network at most once, in one all-to-all.
template <class T>
Vector<T> make_vector(Space space, std::span<const T> block, SourceLocation where = SourceLocation::current()) {
  static_assert(std::is_trivially_copyable_v<T>);
  return recording::Result<T>{detail::make_vector(space, std::as_bytes(block), recording::type_of<T>(), where)};
}

/// A worker's part of a space in the order of files: indices [first, first + count).
struct BlockRange {
  GlobalIndex first;
  std::uint64_t count;
};
/// Local. This worker's: partition::Assignment::block, whatever the space's own assignment.
BlockRange block_of(Space space);

}  // namespace kasen
