/// @file
/// Kernels of reproducible sums: of all elements and by key, whose results are rows of BinnedSums, and the kernel that
/// makes numbers of these. Elements are taken as so many numbers of type T, float or double, each. Products are summed
/// by kasen/runtime/binned_product.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kasen/base/binned_sum.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/key_kernel.h"
#include "kasen/runtime/row_kernel.h"

namespace kasen::runtime {

/// The kernel of the sums of all elements of `width` numbers: a row of BinnedSums. T is float or double.
template <class T>
FoldKernel binned_fold_kernel(std::uint64_t width);
/// The kernel of the values of rows of so many BinnedSums, as numbers of type T.
template <class T>
ElementKernel binned_values_kernel(std::uint64_t width);
/// The same of a Shared.
template <class T>
ApplyKernel binned_value_kernel(std::uint64_t width);
/// The kernel that adds X'Y to a table of `left` rows of `right` BinnedSums, as row_cross_kernel.
template <class T>
KeyKernel binned_cross_kernel(std::uint64_t left, std::uint64_t right);

#define KASEN_BINNED_KERNELS(extern_or_not, T)                                 \
  extern_or_not template FoldKernel binned_fold_kernel<T>(std::uint64_t);      \
  extern_or_not template ElementKernel binned_values_kernel<T>(std::uint64_t); \
  extern_or_not template ApplyKernel binned_value_kernel<T>(std::uint64_t);    \
  extern_or_not template KeyKernel binned_cross_kernel<T>(std::uint64_t, std::uint64_t)
KASEN_BINNED_KERNELS(extern, float);
KASEN_BINNED_KERNELS(extern, double);

/// The reducer of elements that are rows of BinnedSums.
Reducer binned_reducer(Type type);

namespace detail {

template <class T, class Key>
struct BinnedByKeyFunction {
  struct Context {
    std::uint64_t width;
  };

  static std::uint32_t run(const void* context, const KeyTile& tile) {
    if (const std::uint32_t wrong = first_too_large<Key>(tile); wrong < tile.n) return wrong;
    const std::uint64_t width = static_cast<const Context*>(context)->width;
    const auto key = access(static_cast<const Key*>(tile.key), tile.keys_read);
    const RowAccess<const T> in{static_cast<const T*>(tile.in), width, tile.elements_read};
    auto* const table = static_cast<BinnedSum*>(tile.table);
    for (std::uint32_t k = 0; k < tile.n; ++k) {
      const Key at = key[k];
      const std::span<const T> from = in[k];
      if (is_none(at)) continue;
      BinnedSum* const to = table + static_cast<std::size_t>(at) * width;
      for (std::uint64_t i = 0; i < width; ++i) to[i].add(static_cast<double>(from[i]));
    }
    return tile.n;
  }
};

}  // namespace detail

/// The kernel of table[key[k]] += v[k], of elements of `width` numbers of type T.
template <class T, class Key>
KeyKernel binned_by_key_kernel(std::uint64_t width) {
  using Function = detail::BinnedByKeyFunction<T, Key>;
  return detail::key_kernel<Key, T, Function>(typename Function::Context{width});
}

}  // namespace kasen::runtime
