/// @file
/// Matrix kernels over a rectangle of a dense matrix, which is stored row by row: mxv, out[j] = op over i of
/// f_z(in[i], x[i][j]), and mxvt, out[i] = op over j of f_z(in[j], x[i][j]). They serve sweeps that pull and sweeps
/// that push alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "kasen/base/program.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/cache.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"
#include "kasen/runtime/short_rows.h"
#include "kasen/runtime/unmasked.h"

namespace kasen {
struct Plus;  // kasen/functors.h
struct Times;
}  // namespace kasen

namespace kasen::runtime {

namespace detail {

/// The kernels of both directions. They take one vector after the other, so that no result depends on the others.
template <class Out, class In, class Element, class Fz, class Op>
class DenseFunction {
  using Context = MatrixContext<Out, Fz, Op>;

 public:
  static void mxv(const void* context, const DenseTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    for (std::uint32_t k = 0; k < tile.vectors; ++k) {
      if constexpr (kCountAccesses) {
        count<true>(c, tile, k);
      } else {
        spread(c, tile, static_cast<const In*>(tile.in[k]), static_cast<Out*>(tile.out[k]));
      }
    }
  }

  static void mxvt(const void* context, const DenseTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    for (std::uint32_t k = 0; k < tile.vectors; ++k) {
      if constexpr (kCountAccesses) {
        count<false>(c, tile, k);
      } else {
        fold(c, tile, static_cast<const In*>(tile.in[k]), static_cast<Out*>(tile.out[k]));
      }
    }
  }

 private:
  static constexpr bool kAreSumsOfProducts = std::is_same_v<Out, double> && std::is_same_v<In, double> &&
                                             std::is_same_v<Element, double> && std::is_same_v<Fz, Times> &&
                                             std::is_same_v<Op, Plus>;
  static constexpr std::uint64_t kRowsAtOnce = 4, kRowsOfStructs = 16;
  /// Number of partial results of a row, as many as fit a cache line: they need not wait for each other.
  static constexpr std::uint64_t kLanes = std::min<std::uint64_t>(std::max<std::uint64_t>(64 / sizeof(Out), 1), 16);

  /// Calls body(j) for all columns.
  template <class Body>
  static void for_columns(std::uint64_t columns, const Body& body) {
    if constexpr (std::is_arithmetic_v<Out>) {
      KASEN_SIMD
      for (std::uint64_t j = 0; j < columns; ++j) body(j);
    } else {
      for (std::uint64_t j = 0; j < columns; ++j) body(j);
    }
  }

  /// mxv: takes a row of each quarter at a time, so that the results, which stay in the first-level cache, are read and
  /// written once for all of them, and each is followed by the hardware's prefetcher, in pages of its own. (Rows of 64
  /// to 256 doubles that are neighbours come at 0.4 of the rate.) Operands are loaded first, for memberwise().
  static void spread(const Context& context, const DenseTile& tile, const In* in, Out* out) {
    Local<Fz> f = context.f_z;
    Local<Op> binary = context.op;
    const auto op = [&](const Out& so_far, const Out& more) -> Out { return binary(so_far, more); };
    const auto* x = static_cast<const Element*>(tile.value);
    const std::uint64_t rows = tile.rows, columns = tile.columns, stride = tile.stride, quarter = rows / kRowsAtOnce;
    if (!tile.adds) std::fill_n(out, columns, context.identity);
    for (std::uint64_t i = 0; i < quarter; ++i) {
      const In a = in[i], b = in[quarter + i], c = in[2 * quarter + i], d = in[3 * quarter + i];
      const Element *row_a = x + i * stride, *row_b = row_a + quarter * stride, *row_c = row_b + quarter * stride,
                    *row_d = row_c + quarter * stride;
      for_columns(columns, [&](std::uint64_t j) {
        const Out so_far = out[j];
        const Element x_a = row_a[j], x_b = row_b[j], x_c = row_c[j], x_d = row_d[j];
        out[j] = op(op(op(op(so_far, f(a, x_a)), f(b, x_b)), f(c, x_c)), f(d, x_d));
      });
    }
    for (std::uint64_t i = kRowsAtOnce * quarter; i < rows; ++i) {
      const In a = in[i];
      const Element* row_a = x + i * stride;
      for_columns(columns, [&](std::uint64_t j) {
        const Out so_far = out[j];
        const Element x_a = row_a[j];
        out[j] = op(so_far, f(a, x_a));
      });
    }
  }

  static void fold(const Context& context, const DenseTile& tile, const In* in, Out* out) {
    if constexpr (std::is_arithmetic_v<Out>) {
      const auto* x = static_cast<const Element*>(tile.value);
#ifdef __AVX__
      if constexpr (kAreSumsOfProducts) {
        if (tile.columns * sizeof(Element) <= kLongRow)
          return ShortRows::product(x, tile.stride, tile.rows, tile.columns, in, out, tile.adds);
      }
#endif
      std::uint64_t i = 0;
      if (tile.columns * sizeof(Element) >= kLongRow && tile.columns >= 2 * kLanes) {
        for (; i < tile.rows; ++i, x += tile.stride) fold_rows<1, 2 * kLanes>(context, tile, x, in, out + i);
        return;
      }
      for (; i + kRowsAtOnce <= tile.rows; i += kRowsAtOnce, x += kRowsAtOnce * tile.stride)
        fold_rows<kRowsAtOnce, kLanes>(context, tile, x, in, out + i);
      for (; i < tile.rows; ++i, x += tile.stride) fold_rows<1, kLanes>(context, tile, x, in, out + i);
    } else {
      for (std::uint64_t first = 0; first < tile.rows; first += kRowsOfStructs) {
        const std::uint64_t end = std::min(first + kRowsOfStructs, tile.rows);
        if (!tile.adds) std::fill(out + first, out + end, context.identity);
        std::uint64_t j = 0;
        for (; j + 8 <= tile.columns; j += 8)
          fold_columns(context, tile, first, end, j, in, out, std::make_index_sequence<8>());
        for (; j + 4 <= tile.columns; j += 4)
          fold_columns(context, tile, first, end, j, in, out, std::make_index_sequence<4>());
        for (; j < tile.columns; ++j)
          fold_columns(context, tile, first, end, j, in, out, std::make_index_sequence<1>());
      }
    }
  }

  /// mxvt of structs: adds to results where they are, in the first-level cache, several columns at a time: a compiler
  /// finds vectors among their members from what is stored, not from what a loop carries on. So rows take turns, and
  /// software fetches those that follow.
  template <std::size_t... K>
  static void fold_columns(const Context& context, const DenseTile& tile, std::uint64_t first, std::uint64_t end,
                           std::uint64_t j, const In* in, Out* out, std::index_sequence<K...>) {
    Local<Fz> f = context.f_z;
    Local<Op> op = context.op;
    const In v[] = {in[j + K]...};
    const auto* x = static_cast<const Element*>(tile.value) + j;
    for (std::uint64_t i = first; i < end; ++i) {
      const Element* row = opaque(x + i * tile.stride);
      __builtin_prefetch(row + kRowsOfStructs * tile.stride);
      Out sum = out[i];
      ((sum = op(sum, f(v[K], row[K]))), ...);
      out[i] = sum;
    }
  }

  /// mxvt of numbers. The order of operations within a row is the same for every Rows.
  template <std::uint64_t Rows, std::uint64_t Lanes>
  static void fold_rows(const Context& context, const DenseTile& tile, const Element* x, const In* in, Out* out) {
    Local<Fz> f = context.f_z;
    Local<Op> op = context.op;
    const std::uint64_t columns = tile.columns, stride = tile.stride;
    Out sum[Rows];
    for (std::uint64_t r = 0; r < Rows; ++r) sum[r] = tile.adds ? out[r] : context.identity;
    std::uint64_t j = 0;
    if (columns >= Lanes) {
      Out lane[Rows][Lanes];
      for (std::uint64_t r = 0; r < Rows; ++r) {
        KASEN_SIMD
        for (std::uint64_t l = 0; l < Lanes; ++l) lane[r][l] = f(in[l], x[r * stride + l]);
      }
      for (j = Lanes; j + Lanes <= columns; j += Lanes) {
        for (std::uint64_t r = 0; r < Rows; ++r) {
          KASEN_SIMD
          for (std::uint64_t l = 0; l < Lanes; ++l) lane[r][l] = op(lane[r][l], f(in[j + l], x[r * stride + j + l]));
        }
      }
      if (Lanes > kLanes && j + kLanes <= columns) {
        for (std::uint64_t r = 0; r < Rows; ++r) {
          KASEN_SIMD
          for (std::uint64_t l = 0; l < kLanes; ++l) lane[r][l] = op(lane[r][l], f(in[j + l], x[r * stride + j + l]));
        }
        j += kLanes;
      }
      for (std::uint64_t r = 0; r < Rows; ++r) {
        for (std::uint64_t half = Lanes / 2; half > 0; half /= 2) {
          for (std::uint64_t l = 0; l < half; ++l) lane[r][l] = op(lane[r][l], lane[r][l + half]);
        }
        sum[r] = op(sum[r], lane[r][0]);
      }
    }
    for (; j < columns; ++j) {
      const In v = in[j];
      for (std::uint64_t r = 0; r < Rows; ++r) sum[r] = op(sum[r], f(v, x[r * stride + j]));
    }
    for (std::uint64_t r = 0; r < Rows; ++r) out[r] = sum[r];
  }

  /// The plain loop, with every access counted: to outputs that it adds to, each time; to others, one write.
  template <bool Mxv>
  static void count(const Context& context, const DenseTile& tile, std::uint32_t k) {
    Local<Fz> f = context.f_z;
    Local<Op> op = context.op;
    const auto x = access(static_cast<const Element*>(tile.value), k == 0 ? tile.entries : nullptr);
    const auto in = access(static_cast<const In*>(tile.in[k]), counter(tile.read, k));
    const auto so_far = access(static_cast<const Out*>(tile.out[k]), tile.accumulated);
    const auto out = access(static_cast<Out*>(tile.out[k]), counter(tile.written, k));
    const std::uint64_t inputs = Mxv ? tile.rows : tile.columns, outputs = Mxv ? tile.columns : tile.rows;
    const auto at = [&](std::uint64_t i, std::uint64_t j) { return Mxv ? i * tile.stride + j : j * tile.stride + i; };
    if (tile.adds) {
      for (std::uint64_t i = 0; i < inputs; ++i) {
        const In v = in[i];
        for (std::uint64_t j = 0; j < outputs; ++j) out[j] = op(so_far[j], f(v, x[at(i, j)]));
      }
      return;
    }
    for (std::uint64_t j = 0; j < outputs; ++j) {
      Out sum = context.identity;
      for (std::uint64_t i = 0; i < inputs; ++i) sum = op(sum, f(in[i], x[at(i, j)]));
      out[j] = sum;
    }
  }
};

}  // namespace detail

/// The function for MatrixKernel::dense of a matrix_kernel() of the same types, for the direction Op::mxv or Op::mxvt.
template <kasen::Op direction, class Out, class In, class Element, class Fz, class Op>
constexpr auto dense_kernel() {
  using Function = detail::DenseFunction<Out, In, Element, Fz, Op>;
  if constexpr (direction == kasen::Op::mxv) {
    if constexpr (detail::has_few_members<Out> && detail::has_few_members<Element>) {
      return memberwise<&Function::mxv, &Function::mxv, Out, In, Element>();
    } else {
      return unmasked<&Function::mxv, Out, In, Element>();
    }
  } else {
    return unmasked<&Function::mxvt, Out, In, Element>();
  }
}

}  // namespace kasen::runtime
