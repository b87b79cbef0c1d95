/// @file
/// A dense matrix as products see it.
#pragma once

#include <cstdint>

namespace kasen::runtime {

/// Rows of `columns` numbers, `stride` numbers from one to the next.
template <class T>
struct MatrixView {
  const T* first = nullptr;
  std::uint64_t rows = 0, columns = 0, stride = 0;
};

}  // namespace kasen::runtime
