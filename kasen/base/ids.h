/// @file
/// Identifiers of values, kernels, spaces, matrices, ...: a distinct integer type for each, so that none are mixed up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace kasen {

enum class ValueId : std::uint32_t {};     ///< an SSA value of a Program
enum class KernelId : std::uint32_t {};    ///< a compiled user function; an index into the recorder's table
enum class FunctionId : std::uint32_t {};  ///< a class of equal user functions, within one Program
enum class ReducerId : std::uint32_t {};   ///< a functor with its element type, interned per process
enum class SpaceId : std::uint32_t {};     ///< an index space
enum class MatrixId : std::uint32_t {};    ///< a matrix that has been read

/// "No such thing" for any of the identifiers above.
template <class Id>
inline constexpr Id kNone = static_cast<Id>(std::numeric_limits<std::uint32_t>::max());

/// The position an identifier stands for in its table.
template <class Id>
constexpr std::size_t index_of(Id id) {
  return static_cast<std::size_t>(id);
}

using GlobalIndex = std::int64_t;  ///< position in a whole vector
using LocalIndex = std::uint32_t;  ///< position among one worker's masters and replicas
using Rank = int;                  ///< a worker

}  // namespace kasen
