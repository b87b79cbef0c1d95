/// @file
/// Kernels that make vectors of active elements, a byte for each: 1, or 0. They compare bytes, so elements that are
/// equal and written differently, as 0 and -0, count as different.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// A source: 1 everywhere.
ElementKernel all_active();
/// Of two vectors of elements of this size: 1 where they differ.
ElementKernel changed_elements(std::uint32_t bytes);
/// Of one vector: 1 where an element is not `element`.
ElementKernel elements_unlike(std::vector<std::byte> element);

}  // namespace kasen::runtime
