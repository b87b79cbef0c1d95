/// @file
/// Kernels that make vectors of active elements, a byte for each: 1, or 0. They compare bytes, so elements that are
/// equal and written differently, as 0 and -0, count as different.
#pragma once

#include <cstddef>
#include <vector>

#include "kasen/base/scalar.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// A source: 1 everywhere.
ElementKernel all_active();
/// Of two vectors of this type: 1 where they differ.
ElementKernel changed_elements(ScalarType type);
/// Of one vector of scalars: 1 where an element is not `element`.
ElementKernel elements_unlike(std::vector<std::byte> element);

}  // namespace kasen::runtime
