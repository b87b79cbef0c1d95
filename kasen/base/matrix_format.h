/// @file
/// Sizes in the storages of matrices, which the partitioner makes, kernels walk and formulas count.
#pragma once

#include <cstdint>

#include "kasen/base/ids.h"

namespace kasen {

struct MatrixFormat {
  static constexpr std::uint32_t kIndexBytes = 4;          ///< of the index of an entry in compressed form
  static constexpr std::uint32_t kPointerBytes = 8;        ///< of where the entries of an element begin
  static constexpr std::uint32_t kBlockIndexBytes = 2;     ///< of an index in a block, of an entry or of a run
  static constexpr std::uint32_t kRunLengthBytes = 4;      ///< of the length of a long run
  static constexpr std::uint32_t kLargestEdge = 1u << 16;  ///< of a block; as long unless Options::block_edge is less
  static constexpr std::uint32_t kLongestGroup = 16;       ///< runs of a block with more entries are long
  static constexpr std::uint32_t kRunsAtOnce = 8;          ///< runs of a group that stand together
  static constexpr std::uint32_t kStencilRunBytes = 8;     ///< of a StencilRun
  static constexpr std::uint32_t kOffsetBytes = 8;         ///< of where an entry of a stencil has its input
};

/// Outputs from `first` to that of the next run, which have entries alike: their inputs lie as far from each, with the
/// same values.
struct StencilRun {
  LocalIndex first = 0;
  std::uint32_t stencil = 0;
};
static_assert(sizeof(StencilRun) == MatrixFormat::kStencilRunBytes);

}  // namespace kasen
