/// @file
/// Struct MatrixStorage: names one of the storages that a local matrix can have beside others.
#pragma once

#include <compare>
#include <cstdint>

#include "kasen/base/state.h"

namespace kasen::partition {

/// A compressed form or blocks, by the side of the outputs.
struct MatrixStorage {
  Role::Side outputs = Role::Side::row;
  bool in_blocks = false;
  auto operator<=>(const MatrixStorage&) const = default;
};

/// Making a storage takes about as long as so many products that walk one.
inline constexpr std::uint64_t kWalksOfStorage = 20;

}  // namespace kasen::partition
