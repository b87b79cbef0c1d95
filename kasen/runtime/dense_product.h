/// @file
/// Dense kernels by Eigen's matrix-vector product, over a rectangle of a dense matrix: MatrixKernel::dense of
/// mxv(times, plus) and mxvt(times, plus) of floats or doubles. Compiled once, so that programs need no Eigen.
#pragma once

#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// Computes out[j] (+)= sum over i of in[i] x[i][j]. T, float or double, is the type of all three; `context` is unused.
template <class T>
void dense_mxv(const void* context, const DenseTile& tile);
/// Computes out[i] (+)= sum over j of in[j] x[i][j].
template <class T>
void dense_mxvt(const void* context, const DenseTile& tile);

extern template void dense_mxv<float>(const void*, const DenseTile&);
extern template void dense_mxv<double>(const void*, const DenseTile&);
extern template void dense_mxvt<float>(const void*, const DenseTile&);
extern template void dense_mxvt<double>(const void*, const DenseTile&);

}  // namespace kasen::runtime
