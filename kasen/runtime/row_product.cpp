#include "kasen/runtime/row_product.h"

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "kasen/runtime/access.h"

namespace kasen::runtime {
namespace {

template <class T>
using Read = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
template <class T>
using Written = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

struct Widths {
  std::uint64_t left, right;
};

Eigen::Index count(std::uint64_t n) { return static_cast<Eigen::Index>(n); }

template <class T>
Read<T> rows_at(const void* first, std::uint64_t n, std::uint64_t width) {
  return Read<T>(static_cast<const T*>(first), count(n), count(width));
}

void count_access(AccessCount* counter, std::uint64_t n) {
  if (kCountAccesses && counter != nullptr) *counter += n;
}

/// The whole comes first among what a tile reads.
template <class T>
void run_product(const void* context, const Tile& tile) {
  const auto& widths = *static_cast<const Widths*>(context);
  const Read<T> W = rows_at<T>(tile.in[0], widths.left, widths.right);
  const Read<T> X = rows_at<T>(tile.in[1], tile.n, widths.left);
  Written<T> out(static_cast<T*>(tile.out), count(tile.n), count(widths.right));
  if (tile.in[1] == tile.out) {
    out = (X * W).eval();
  } else {
    out.noalias() = X * W;
  }
  count_access(counter(tile.read, 1), tile.n);
  count_access(tile.written, tile.n);
}

/// Sums in the order of W's rows.
template <class T>
void run_row_by_row(const void* context, const Tile& tile) {
  const auto& widths = *static_cast<const Widths*>(context);
  const T* const W = static_cast<const T*>(tile.in[0]);
  const T* x = static_cast<const T*>(tile.in[1]);
  T* out = static_cast<T*>(tile.out);
  thread_local std::vector<T> made;  // apart, as a row may take the place of x
  made.resize(widths.right);
  T* const __restrict sum = made.data();
  for (std::uint32_t k = 0; k < tile.n; ++k, x += widths.left, out += widths.right) {
    std::fill(made.begin(), made.end(), T{0});
    for (std::uint64_t i = 0; i < widths.left; ++i) {
      const T by = x[i];
      const T* const row = W + i * widths.right;
      KASEN_SIMD
      for (std::uint64_t j = 0; j < widths.right; ++j) sum[j] += by * row[j];
    }
    std::copy(made.begin(), made.end(), out);
  }
  count_access(counter(tile.read, 1), tile.n);
  count_access(tile.written, tile.n);
}

template <class T>
std::uint32_t run_cross(const void* context, const KeyTile& tile) {
  const auto& widths = *static_cast<const Widths*>(context);
  Written<T> sums(static_cast<T*>(tile.table), count(widths.left), count(widths.right));
  sums.noalias() += rows_at<T>(tile.key, tile.n, widths.left).transpose() * rows_at<T>(tile.in, tile.n, widths.right);
  count_access(tile.keys_read, tile.n);
  count_access(tile.elements_read, tile.n);
  return tile.n;
}

}  // namespace

template <class T>
ElementKernel row_product_kernel(std::uint64_t left, std::uint64_t right) {
  ElementKernel kernel;
  kernel.context = context_of(Widths{left, right});
  kernel.run = &run_product<T>;
  return kernel;
}

template <class T>
ElementKernel row_by_row_product_kernel(std::uint64_t left, std::uint64_t right) {
  ElementKernel kernel;
  kernel.context = context_of(Widths{left, right});
  kernel.run = &run_row_by_row<T>;
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
