/// @file
/// Struct MatrixStorage: names one of the storages that a local matrix can have beside others.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "kasen/base/state.h"

namespace kasen::partition {

/// A form, by the side of the outputs.
struct MatrixStorage {
  enum class Form : std::uint8_t { compressed, blocks, stencils };
  Role::Side outputs = Role::Side::row;
  Form form = Form::compressed;
  auto operator<=>(const MatrixStorage&) const = default;
};

inline constexpr std::array kMatrixForms{MatrixStorage::Form::compressed, MatrixStorage::Form::blocks,
                                         MatrixStorage::Form::stencils};

/// Making a storage takes about as long as so many products that walk one.
inline constexpr std::uint64_t kWalksOfStorage = 20;

}  // namespace kasen::partition
