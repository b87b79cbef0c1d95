/// @file
/// Matrix kernels of mxv and mxvt that add up rows, or multiples of rows: of floats or doubles. Compiled once.
#pragma once

#include <concepts>
#include <cstdint>

#include "kasen/base/program.h"
#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

template <class T>
concept SummedNumber = std::same_as<T, double> || std::same_as<T, float>;

/// The kernels of out[j] = sum over the non-zeros of output j of in[i] m, or, unless it `multiplies`, of in[i], which
/// are rows of this width. Over a Pattern (Element = void) entries count as 1.
template <Op direction, SummedNumber T, class Element>
MatrixKernel rows_sum_kernel(std::uint64_t width, bool multiplies);

#define KASEN_ROWS_SUM(prefix, T)                                                      \
  prefix template MatrixKernel rows_sum_kernel<Op::mxv, T, T>(std::uint64_t, bool);    \
  prefix template MatrixKernel rows_sum_kernel<Op::mxv, T, void>(std::uint64_t, bool); \
  prefix template MatrixKernel rows_sum_kernel<Op::mxvt, T, T>(std::uint64_t, bool);   \
  prefix template MatrixKernel rows_sum_kernel<Op::mxvt, T, void>(std::uint64_t, bool)
KASEN_ROWS_SUM(extern, float);
KASEN_ROWS_SUM(extern, double);

}  // namespace kasen::runtime
