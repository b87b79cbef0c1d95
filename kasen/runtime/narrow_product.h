/// @file
/// Products of matrices, which are stored row by row, of which one has few columns: the rate of memory bounds them,
/// where a general product copies its operands into an order of its own first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "kasen/runtime/cache.h"
#include "kasen/runtime/matrix_view.h"

namespace kasen::runtime {

#ifdef __AVX__
inline constexpr std::size_t kVectorBytes = 32;
#else
inline constexpr std::size_t kVectorBytes = 16;
#endif
#ifdef __AVX512F__
inline constexpr std::size_t kVectorRegisters = 32;
#else
inline constexpr std::size_t kVectorRegisters = 16;
#endif

/// Up to so many columns are few: of a row of them in vectors, several fit the registers.
template <class T>
inline constexpr std::size_t kFewColumns = std::min<std::size_t>(16, (kVectorRegisters >= 32 ? 4 : 3) * kVectorBytes /
                                                                         sizeof(T));

/// The products with Columns columns. Each keeps as many rows of them in registers as there are rows of X that it walks
/// at a time, and of each row all columns, in whole vectors.
template <class T, std::size_t Columns>
class NarrowProduct {
  static constexpr std::size_t kBytes = Columns * sizeof(T) <= 16 ? 16 : kVectorBytes;
  static constexpr std::size_t kLanes = kBytes / sizeof(T);
  static constexpr std::size_t kVectors = (Columns + kLanes - 1) / kLanes, kPadded = kVectors * kLanes;
  typedef T Vector __attribute__((vector_size(kBytes)));
  static constexpr std::size_t kRows = kVectors == 1 || kVectorRegisters >= 32 ? 8 : 4;
  /// A load of whole vectors takes numbers of the next rows. Of so many there have to be some.
  static constexpr std::size_t kBehind = (kPadded - 1) / Columns;

 public:
  /// out = X W, added to what is there if it `adds`. Each row of out is summed in the order of X's columns, with the
  /// same bits whatever rows are beside it; it may take the place of its row of X.
  static void product(const MatrixView<T>& X, const T* W, T* out, bool adds) {
    by_groups(X.rows, X.columns,
              [&](std::uint64_t first, std::uint64_t step) { product_of<kRows>(X, first, step, W, out, adds); });
    // Two at a time, an odd one twice: of one alone a compiler orders operations otherwise.
    for (std::uint64_t i = X.rows / kRows * kRows; i < X.rows; i += 2) product_of<2>(X, i, 1, W, out, adds);
  }

  /// sums[j * row_step + k * column_step] += sum over i of X[i][j] Y[i][k].
  static void cross(const MatrixView<T>& X, const T* Y, T* sums, std::uint64_t row_step, std::uint64_t column_step) {
    const auto add_to = [&](T* to) {
      by_groups(X.rows, X.columns,
                [&](std::uint64_t first, std::uint64_t step) { cross_of<kRows>(X, first, step, Y, to); });
      for (std::uint64_t i = X.rows / kRows * kRows; i < X.rows; ++i) cross_of<1>(X, i, 1, Y, to);
    };
    if (kPadded == Columns && row_step == Columns && column_step == 1) return add_to(sums);
    thread_local std::vector<T> made;  // in whole vectors
    made.assign(X.columns * kPadded, T{0});
    add_to(made.data());
    for (std::uint64_t j = 0; j < X.columns; ++j) {
      for (std::size_t k = 0; k < Columns; ++k) sums[j * row_step + k * column_step] += made[j * kPadded + k];
    }
  }

 private:
  /// Calls body(first, step) for groups of kRows rows.
  template <class Body>
  static void by_groups(std::uint64_t rows, std::uint64_t columns, const Body& body) {
    const std::uint64_t groups = rows / kRows;
    const bool apart = columns * sizeof(T) >= kLongRow;
    for (std::uint64_t g = 0; g < groups; ++g) body(apart ? g : g * kRows, apart ? groups : 1);
  }

  // One vector at a time: a compiler keeps an array in registers unless it is copied whole.
  static void load(Vector (&vectors)[kVectors], const T* from) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) std::memcpy(&vectors[v], from + v * kLanes, sizeof(Vector));
  }
  static void store(T* to, const Vector (&vectors)[kVectors]) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) std::memcpy(to + v * kLanes, &vectors[v], sizeof(Vector));
  }
  static void load_row(Vector (&vectors)[kVectors], const T* from) {
    T row[kPadded] = {};
    std::memcpy(row, from, Columns * sizeof(T));
    load(vectors, row);
  }
  static void store_row(T* to, const Vector (&vectors)[kVectors]) {
#pragma GCC unroll 8
    for (std::size_t v = 0; v < kVectors; ++v) {
      if ((v + 1) * kLanes <= Columns) {
        std::memcpy(to + v * kLanes, &vectors[v], sizeof(Vector));
      } else {
#pragma GCC unroll 16
        for (std::size_t k = v * kLanes; k < Columns; ++k) to[k] = vectors[v][k - v * kLanes];
      }
    }
  }
  template <std::size_t Rows>
  static void multiply_add(Vector (&sum)[Rows][kVectors], const T* const (&x)[Rows], std::uint64_t j,
                           const Vector (&by)[kVectors]) {
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) {
      const T factor = x[r][j];
#pragma GCC unroll 8
      for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] += factor * by[v];
    }
  }

  template <std::size_t Rows>
  static void product_of(const MatrixView<T>& X, std::uint64_t first, std::uint64_t step, const T* W, T* out,
                         bool adds) {
    const T* x[Rows];
    T* to[Rows];
    Vector sum[Rows][kVectors] = {}, row[kVectors];
    for (std::size_t r = 0; r < Rows; ++r) {
      const std::uint64_t i = std::min(first + r * step, X.rows - 1);
      x[r] = X.first + i * X.stride;
      to[r] = out + i * Columns;
      if (adds) load_row(sum[r], to[r]);
    }
    T last[kBehind * kPadded + 1] = {};  // rows of W
    const std::uint64_t copied = std::min<std::uint64_t>(X.columns, kBehind);
    for (std::uint64_t j = 0; j < copied; ++j)
      std::memcpy(last + j * kPadded, W + (X.columns - copied + j) * Columns, Columns * sizeof(T));
    const T* w = W;
    std::uint64_t j = 0;
    for (const auto& [end, next] : {std::pair{X.columns - copied, Columns}, std::pair{X.columns, kPadded}}) {
      for (; j < end; ++j, w += next) {
        load(row, w);
        multiply_add(sum, x, j, row);
      }
      w = last;
    }
#pragma GCC unroll 8
    for (std::size_t r = 0; r < Rows; ++r) store_row(to[r], sum[r]);
  }

  template <std::size_t Rows>
  static void cross_of(const MatrixView<T>& X, std::uint64_t first, std::uint64_t step, const T* Y, T* to) {
    Vector row[Rows][kVectors];
    for (std::size_t r = 0; r < Rows; ++r) {
      const std::uint64_t i = first + r * step;
      i + kBehind < X.rows ? load(row[r], Y + i * Columns) : load_row(row[r], Y + i * Columns);
    }
    const T* x = X.first + first * X.stride;
    const std::uint64_t stride = step * X.stride;
    for (std::uint64_t j = 0; j < X.columns; ++j, to += kPadded) {
      Vector sum[kVectors];
      load(sum, to);
#pragma GCC unroll 8
      for (std::size_t r = 0; r < Rows; ++r) {
        const T factor = x[j + r * stride];
#pragma GCC unroll 8
        for (std::size_t v = 0; v < kVectors; ++v) sum[v] += factor * row[r][v];
      }
      store(to, sum);
    }
  }
};

}  // namespace kasen::runtime
