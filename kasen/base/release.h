/// @file
/// Freeing of a vector's memory before its scope ends.
#pragma once

#include <vector>

namespace kasen {

/// Empties the vector and frees its memory, which `vector = {}` keeps, as it assigns an empty list.
template <class T, class Allocator>
void release(std::vector<T, Allocator>& vector) {
  std::vector<T, Allocator>().swap(vector);
}

}  // namespace kasen
