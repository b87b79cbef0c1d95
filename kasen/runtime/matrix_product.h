/// @file
/// Products of dense matrices of floats or doubles that are stored row by row. Compiled once, so that programs need no
/// Eigen.
#pragma once

#include <cstdint>

#include "kasen/runtime/matrix_view.h"

namespace kasen::runtime {

/// out = X W, added to what is there if it `adds`: W has a row of `width` numbers for each column of X, out one for
/// each row. out may be X if that has `width` columns, one row behind the other, and nothing is added.
template <class T>
void multiply_rows(const MatrixView<T>& X, const T* W, std::uint64_t width, T* out, bool adds);
/// The same without `adds`, with the bits of each row independent of the other rows of X.
template <class T>
void multiply_row_by_row(const MatrixView<T>& X, const T* W, std::uint64_t width, T* out);
/// sums += X'Y: Y has a row of `width` numbers for each of X, `sums` one for each of X's columns.
template <class T>
void add_cross(const MatrixView<T>& X, const T* Y, std::uint64_t width, T* sums);

#define KASEN_MATRIX_PRODUCTS(prefix, T)                                                          \
  prefix template void multiply_rows<T>(const MatrixView<T>&, const T*, std::uint64_t, T*, bool); \
  prefix template void multiply_row_by_row<T>(const MatrixView<T>&, const T*, std::uint64_t, T*); \
  prefix template void add_cross<T>(const MatrixView<T>&, const T*, std::uint64_t, T*)
KASEN_MATRIX_PRODUCTS(extern, float);
KASEN_MATRIX_PRODUCTS(extern, double);

}  // namespace kasen::runtime
