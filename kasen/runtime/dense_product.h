/// @file
/// Sums of products over a rectangle of a dense matrix, by Eigen's matrix-vector product: what Kernel::dense is for
/// mxv(times, plus) and mxvt(times, plus) of floats or doubles. Compiled once, so that programs need no Eigen.
#pragma once

#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// out[j] (+)= sum over i of in[i] x[i][j]. T is float or double, of all three; the context is not used.
template <class T>
void dense_mxv(const void* context, const DenseTile& tile);
/// out[i] (+)= sum over j of in[j] x[i][j].
template <class T>
void dense_mxvt(const void* context, const DenseTile& tile);

extern template void dense_mxv<float>(const void*, const DenseTile&);
extern template void dense_mxv<double>(const void*, const DenseTile&);
extern template void dense_mxvt<float>(const void*, const DenseTile&);
extern template void dense_mxvt<double>(const void*, const DenseTile&);

}  // namespace kasen::runtime
