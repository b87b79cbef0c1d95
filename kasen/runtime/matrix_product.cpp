#include "kasen/runtime/matrix_product.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "kasen/runtime/access.h"
#include "kasen/runtime/narrow_product.h"

namespace kasen::runtime {
namespace {

template <class T>
using Read =
    Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
template <class T>
using Written = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Eigen::Index count(std::uint64_t n) { return static_cast<Eigen::Index>(n); }

template <class T>
Read<T> matrix_of(const MatrixView<T>& rows) {
  return Read<T>(rows.first, count(rows.rows), count(rows.columns), Eigen::OuterStride<>(count(rows.stride)));
}
template <class T>
Read<T> matrix_at(const T* first, std::uint64_t rows, std::uint64_t columns) {
  return matrix_of(MatrixView<T>{first, rows, columns, columns});
}

/// The functions of NarrowProduct, by columns.
template <class T>
struct Narrow {
  void (*product)(const MatrixView<T>& X, const T* W, T* out, bool adds);
  void (*cross)(const MatrixView<T>& X, const T* Y, T* sums, std::uint64_t row_step, std::uint64_t column_step);

  static bool takes(std::uint64_t columns) { return columns >= 1 && columns <= kFewColumns<T>; }
  static const Narrow& of(std::uint64_t columns) {
    static constexpr auto all = []<std::size_t... C>(std::index_sequence<C...>) {
      return std::array{Narrow{&NarrowProduct<T, C + 1>::product, &NarrowProduct<T, C + 1>::cross}...};
    }
    (std::make_index_sequence<kFewColumns<T>>());
    return all[columns - 1];
  }
};

}  // namespace

template <class T>
void multiply_rows(const MatrixView<T>& X, const T* W, std::uint64_t width, T* out, bool adds) {
  if (Narrow<T>::takes(width)) return Narrow<T>::of(width).product(X, W, out, adds);
  Written<T> result(out, count(X.rows), count(width));
  const Read<T> x = matrix_of(X), w = matrix_at(W, X.columns, width);
  if (X.first == out) {
    result = (x * w).eval();
    return;
  }
  if (!adds) result.setZero();
  if (x.size() > 0) result.noalias() += x * w;
}

template <class T>
void multiply_row_by_row(const MatrixView<T>& X, const T* W, std::uint64_t width, T* out) {
  if (Narrow<T>::takes(width)) return Narrow<T>::of(width).product(X, W, out, false);
  thread_local std::vector<T> made;  // apart, as a row may take the place of one of X
  made.resize(width);
  T* const __restrict sum = made.data();
  for (std::uint64_t i = 0; i < X.rows; ++i) {
    std::fill(made.begin(), made.end(), T{0});
    for (std::uint64_t j = 0; j < X.columns; ++j) {
      const T factor = X.first[i * X.stride + j];
      const T* const row = W + j * width;
      KASEN_SIMD
      for (std::uint64_t k = 0; k < width; ++k) sum[k] += factor * row[k];
    }
    std::copy(made.begin(), made.end(), out + i * width);
  }
}

template <class T>
void add_cross(const MatrixView<T>& X, const T* Y, std::uint64_t width, T* sums) {
  constexpr std::uint64_t kFewRows = 16;  // of which a product costs no more than what kernels do beside it
  const bool few = X.rows < kFewRows;
  if (!few && Narrow<T>::takes(width)) return Narrow<T>::of(width).cross(X, Y, sums, width, 1);
  if (!few && Narrow<T>::takes(X.columns) && X.stride == X.columns)  // the other way round
    return Narrow<T>::of(X.columns).cross({Y, X.rows, width, width}, X.first, sums, 1, width);
  if (X.rows == 0) return;
  Written<T>(sums, count(X.columns), count(width)).noalias() += matrix_of(X).transpose() * matrix_at(Y, X.rows, width);
}

KASEN_MATRIX_PRODUCTS(, float);
KASEN_MATRIX_PRODUCTS(, double);

}  // namespace kasen::runtime
