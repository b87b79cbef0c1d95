/// @file
/// Kernels of products of rows, a tile of them at a time.
#pragma once

#include <cstdint>

#include "kasen/runtime/kernel.h"

namespace kasen::runtime {

/// The kernel of X W: W, all of it, has `left` rows of `right` numbers, and each row of X `left`. T is float or double.
template <class T>
ElementKernel row_product_kernel(std::uint64_t left, std::uint64_t right);
/// The same, each row by itself: its bits do not depend on which rows are in its tile.
template <class T>
ElementKernel row_by_row_product_kernel(std::uint64_t left, std::uint64_t right);
/// The kernel that adds X'Y to a table of `left` rows of `right` numbers. X stands where the keys of other keyed
/// reductions do.
template <class T>
KeyKernel row_cross_kernel(std::uint64_t left, std::uint64_t right);

extern template ElementKernel row_product_kernel<float>(std::uint64_t, std::uint64_t);
extern template ElementKernel row_product_kernel<double>(std::uint64_t, std::uint64_t);
extern template ElementKernel row_by_row_product_kernel<float>(std::uint64_t, std::uint64_t);
extern template ElementKernel row_by_row_product_kernel<double>(std::uint64_t, std::uint64_t);
extern template KeyKernel row_cross_kernel<float>(std::uint64_t, std::uint64_t);
extern template KeyKernel row_cross_kernel<double>(std::uint64_t, std::uint64_t);

}  // namespace kasen::runtime
