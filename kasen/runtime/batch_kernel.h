/// @file
/// The kernel of one batch of a vector in batches, whose elements have a part for each batch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kasen/base/program.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// "there is no batch 7: batches are 0 to 6", of so many. @param number as it is given, and what it is for
std::string refusal_of_batch(std::string_view number, std::uint64_t batches);

/// The kernel that copies one part of each element; the first Shared, a std::int64_t, says which. Without that part its
/// check throws an AgreedError with `where`. @param type of the elements with all parts
ElementKernel batch_kernel(const Type& type, SourceLine where);

}  // namespace kasen::runtime
