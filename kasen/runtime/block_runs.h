/// @file
/// The order in which kernels walk a block of a matrix whose runs they add up one by one: that of BlockedKernel.
#pragma once

#include <cstdint>

#include "kasen/base/matrix_format.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// Calls `add_run(run, first, end, step)` for each run of the block, which has the entries first, first + step, ...
/// below end. @param length of the long runs, which come last
template <class Length, class AddRun>
[[gnu::always_inline]] inline void for_each_run(const MatrixBlock& block, const Length& length, const AddRun& add_run) {
  constexpr std::uint32_t kLongestGroup = MatrixFormat::kLongestGroup, kRunsAtOnce = MatrixFormat::kRunsAtOnce;
  std::uint64_t entry = 0, run = 0;
  for (std::uint32_t entries = 1; entries <= kLongestGroup; ++entries) {
    std::uint32_t left = block.runs[entries];
    for (; left >= kRunsAtOnce; left -= kRunsAtOnce) {  // whose entries take turns
      const std::uint64_t end = entry + std::uint64_t{kRunsAtOnce} * entries;
      for (std::uint32_t r = 0; r < kRunsAtOnce; ++r) add_run(run++, entry + r, end, kRunsAtOnce);
      entry = end;
    }
    for (; left > 0; --left, entry += entries) add_run(run++, entry, entry + entries, 1);
  }
  for (std::uint32_t r = 0; r < block.runs[0]; ++r) {
    const std::uint64_t end = entry + length[r];
    add_run(run++, entry, end, 1);
    entry = end;
  }
}

}  // namespace kasen::runtime
