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
  /// The partitioning by which the entries are on their workers already, as in a prepared file for so many workers.
  /// Null if the entries are anywhere. The same on every worker.
  std::shared_ptr<const partition::Partitioning> prepared = nullptr;
};

}  // namespace kasen
