#include "kasen/runtime/row_product.h"

#include <cstddef>

#include "kasen/runtime/access.h"
#include "kasen/runtime/matrix_product.h"

namespace kasen::runtime {
namespace {

struct Widths {
  std::uint64_t left, right;
};

template <class T>
MatrixView<T> rows_at(const void* first, std::uint64_t n, std::uint64_t width) {
  return {static_cast<const T*>(first), n, width, width};
}

void count_access(AccessCount* counter, std::uint64_t n) {
  if (kCountAccesses && counter != nullptr) *counter += n;
}

/// The whole comes first among what a tile reads.
template <class T, bool RowByRow>
void run_product(const void* context, const Tile& tile) {
  const auto& widths = *static_cast<const Widths*>(context);
  const auto* const W = static_cast<const T*>(tile.in[0]);
  const MatrixView<T> X = rows_at<T>(tile.in[1], tile.n, widths.left);
  auto* const out = static_cast<T*>(tile.out);
  if constexpr (RowByRow) {
    multiply_row_by_row(X, W, widths.right, out);
  } else {
    multiply_rows(X, W, widths.right, out, false);
  }
  count_access(counter(tile.read, 1), tile.n);
  count_access(tile.written, tile.n);
}

template <class T>
std::uint32_t run_cross(const void* context, const KeyTile& tile) {
  const auto& widths = *static_cast<const Widths*>(context);
  add_cross(rows_at<T>(tile.key, tile.n, widths.left), static_cast<const T*>(tile.in), widths.right,
            static_cast<T*>(tile.table));
  count_access(tile.keys_read, tile.n);
  count_access(tile.elements_read, tile.n);
  return tile.n;
}

}  // namespace

template <class T>
ElementKernel row_product_kernel(std::uint64_t left, std::uint64_t right) {
  ElementKernel kernel;
  kernel.context = context_of(Widths{left, right});
  kernel.run = &run_product<T, false>;
  return kernel;
}

template <class T>
ElementKernel row_by_row_product_kernel(std::uint64_t left, std::uint64_t right) {
  ElementKernel kernel;
  kernel.context = context_of(Widths{left, right});
  kernel.run = &run_product<T, true>;
  return kernel;
}

template <class T>
KeyKernel row_cross_kernel(std::uint64_t left, std::uint64_t right) {
  KeyKernel kernel;
  kernel.context = context_of(Widths{left, right});
  kernel.run = &run_cross<T>;
  return kernel;
}

template ElementKernel row_product_kernel<float>(std::uint64_t, std::uint64_t);
template ElementKernel row_product_kernel<double>(std::uint64_t, std::uint64_t);
template ElementKernel row_by_row_product_kernel<float>(std::uint64_t, std::uint64_t);
template ElementKernel row_by_row_product_kernel<double>(std::uint64_t, std::uint64_t);
template KeyKernel row_cross_kernel<float>(std::uint64_t, std::uint64_t);
template KeyKernel row_cross_kernel<double>(std::uint64_t, std::uint64_t);

}  // namespace kasen::runtime
