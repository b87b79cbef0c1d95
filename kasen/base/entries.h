/// @file
/// The non-zeros of a matrix on their way from whoever read them to whoever owns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "kasen/base/global_indices.h"
#include "kasen/base/raw_vector.h"

namespace kasen {

namespace partition {
struct Partitioning;
}

/// Entries of a matrix that one worker holds: global indices, and values packed (none for Pattern).
struct Entries {
  GlobalIndices row, column;
  RawVector<std::byte> value;  ///< resize() leaves new bytes as they are
  std::uint32_t value_bytes = 0;
  /// Of a matrix in batches: how many there are, the same on every worker. Rows are those of a batch, and a value
  /// begins with its number (partition/matrix_batches.h). 0: of a whole matrix.
  std::uint32_t batches = 0;
  /// The partitioning by which the entries are on their workers already, as in a prepared file for so many workers.
  /// Null if the entries are anywhere. The same on every worker.
  std::shared_ptr<const partition::Partitioning> prepared = nullptr;
};

}  // namespace kasen
