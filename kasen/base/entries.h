/// @file
/// The non-zeros of a matrix on their way from whoever read them to whoever owns them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kasen/base/ids.h"

namespace kasen {

namespace partition {
struct Partitioning;
}

/// Entries of a matrix as one worker happened to read them: global indices, values packed (none for Pattern).
struct Entries {
  std::vector<GlobalIndex> row, column;
  std::vector<std::byte> value;
  std::uint32_t value_bytes = 0;
  /// The entries are where this puts them, for as many parts as there are workers: from a file that was prepared so.
  /// None: they are anywhere. The same on every worker.
  std::shared_ptr<const partition::Partitioning> prepared = nullptr;
};

}  // namespace kasen
