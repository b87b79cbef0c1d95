/// @file
/// Class OutputShare: a thread's part of the outputs of products that push, and the entries that lead to them.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "kasen/base/ids.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// Outputs [first, end). Threads with different ones, each of which walks all inputs in order, meet nowhere, and an
/// output is added to in the order in which it is on one thread.
class OutputShare {
 public:
  /// For how many inputs it finds entries at once.
  static constexpr std::uint32_t kMostInputs = 256;
  static constexpr LocalIndex kNoEnd = std::numeric_limits<LocalIndex>::max();

  /// @param end kNoEnd: all that follow
  OutputShare(LocalIndex first, LocalIndex end) : _first(first), _end(end) {}

  LocalIndex first() const { return _first; }
  LocalIndex end() const { return _end; }
  /// Binds a tile to the inputs [first, first + n), at most kMostInputs, and their entries that lead to these outputs,
  /// until the next call. It looks through the entries of short inputs, and finds those of long ones by bisection.
  /// @pre the entries of an input ascend by output (partition::CompressedView)
  void bind(MatrixTile& tile, const Compressed& matrix, LocalIndex first, std::uint32_t n);

 private:
  LocalIndex _first, _end;
  std::array<std::uint64_t, kMostInputs + 1> _begins;  ///< by input, and where the last one ends in the matrix
  std::array<std::uint64_t, kMostInputs> _ends;
};

/// Shares of about as many entries each for so many threads, as far as a sample of the entries tells: one for each, or
/// none for one thread. No two of them have outputs in one word of an ElementSet.
/// @param entries of the matrix, in batches of all of them
std::vector<OutputShare> share_outputs(const Compressed& matrix, std::uint64_t entries, std::uint32_t threads);

}  // namespace kasen::runtime
