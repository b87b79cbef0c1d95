#include "kasen/runtime/dense_product.h"

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>

namespace kasen::runtime {
namespace {

template <class T>
using Rectangle = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, Eigen::Unaligned,
                             Eigen::OuterStride<>>;
template <class T>
using In = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>;
template <class T>
using Out = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>;

template <class T>
Rectangle<T> rectangle(const DenseTile& tile) {
  return {static_cast<const T*>(tile.value), static_cast<Eigen::Index>(tile.rows),
          static_cast<Eigen::Index>(tile.columns), Eigen::OuterStride<>(static_cast<Eigen::Index>(tile.stride))};
}

/// Calls add(in, out), which adds a product to `out`, for each vector.
template <class T, class Add>
void for_vectors(const DenseTile& tile, std::uint64_t inputs, std::uint64_t outputs, const Add& add) {
  for (std::uint32_t k = 0; k < tile.vectors; ++k) {
    Out<T> out(static_cast<T*>(tile.out[k]), static_cast<Eigen::Index>(outputs));
    if (!tile.adds) out.setZero();
    if (inputs > 0) add(In<T>(static_cast<const T*>(tile.in[k]), static_cast<Eigen::Index>(inputs)), out);
  }
}

}  // namespace

template <class T>
void dense_mxv(const void*, const DenseTile& tile) {
  for_vectors<T>(tile, tile.rows, tile.columns,
                 [&](const In<T>& in, Out<T>& out) { out.noalias() += rectangle<T>(tile).transpose() * in; });
}

template <class T>
void dense_mxvt(const void*, const DenseTile& tile) {
  for_vectors<T>(tile, tile.columns, tile.rows,
                 [&](const In<T>& in, Out<T>& out) { out.noalias() += rectangle<T>(tile) * in; });
}

template void dense_mxv<float>(const void*, const DenseTile&);
template void dense_mxv<double>(const void*, const DenseTile&);
template void dense_mxvt<float>(const void*, const DenseTile&);
template void dense_mxvt<double>(const void*, const DenseTile&);

}  // namespace kasen::runtime
