/// @file
/// Freeing of a vector's memory before its scope ends.
#pragma once

#include <vector>

namespace kasen {

/// Empties the vector and frees its memory, which `vector = {}` keeps, as it assigns an empty list.
template <class T>
void release(std::vector<T>& vector) {
  std::vector<T>().swap(vector);
}

}  // namespace kasen
