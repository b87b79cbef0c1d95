/// @file
/// Folding of values with a user's reducer, for layers that do not know the type of the elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace kasen {

/// `fold(context, into, index, from, n)` does into[index[k]] = op(into[index[k]], from[k]) for k < n, in this order;
/// index == nullptr stands for 0, 1, 2, ... Elements have the size and type that the reducer was made for.
struct Combine {
  void (*fold)(const void* context, void* into, const std::uint32_t* index, const void* from, std::size_t n) = nullptr;
  std::shared_ptr<const void> context;
};

}  // namespace kasen
