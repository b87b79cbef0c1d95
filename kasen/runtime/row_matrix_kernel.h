/// @file
/// Matrix kernels whose results are rows: of a function that writes one at each non-zero, which the reducer combines
/// number by number, and of a function of numbers, which takes the numbers of a vector's rows one by one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kasen/runtime/access.h"
#include "kasen/runtime/block_runs.h"
#include "kasen/runtime/bound_vectors.h"
#include "kasen/runtime/element_kernel.h"
#include "kasen/runtime/ends_kernel.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/matrix_term.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/row_kernel.h"

namespace kasen::runtime {

namespace detail {

/// What f_z writes at a non-zero of both ends.
template <class T, class Element, class Fz, class Op>
struct WrittenRow {
  Fz f_z;
  Op op;

  template <class In, class Value, class At>
  void first(std::span<T> to, const In& in, const Value& value, const At& at) const {
    at_non_zero<Element>(f_z, in, value, at, to);
  }
  template <class In, class Value, class At>
  void add(std::span<T> to, T* __restrict made, const In& in, const Value& value, const At& at) const {
    at_non_zero<Element>(f_z, in, value, at, std::span<T>(made, to.size()));
    T* __restrict sum = to.data();
    const std::size_t width = to.size();
    KASEN_SIMD
    for (std::size_t k = 0; k < width; ++k) sum[k] = static_cast<T>(op(sum[k], made[k]));
  }
};

/// f_z of each number of a row and the entry.
template <class T, class Element, class Fz, class Op>
struct EachNumber {
  Fz f_z;
  Op op;

  template <class X, class Value>
  T of(const X& x, [[maybe_unused]] const Value& value) const {
    if constexpr (std::is_void_v<Element>) {
      return f_z(x);
    } else {
      return f_z(x, value);
    }
  }
  template <class X, class Value>
  void first(std::span<T> to, const std::tuple<const std::span<const X>>& in, const Value& value,
             const std::tuple<>&) const {
    T* __restrict made = to.data();
    const X* const from = std::get<0>(in).data();
    const std::size_t width = to.size();
    KASEN_SIMD
    for (std::size_t k = 0; k < width; ++k) made[k] = of(from[k], value);
  }
  template <class X, class Value>
  void add(std::span<T> to, T*, const std::tuple<const std::span<const X>>& in, const Value& value,
           const std::tuple<>&) const {
    T* __restrict sum = to.data();
    const X* const from = std::get<0>(in).data();
    const std::size_t width = to.size();
    KASEN_SIMD
    for (std::size_t k = 0; k < width; ++k) sum[k] = static_cast<T>(op(sum[k], of(from[k], value)));
  }
};

template <class T, class Term, class Ins, class Ats>
struct RowMatrixContext {
  Term term;
  T identity;
  std::uint64_t width;
  Ins in;
  Ats at;
};

/// Results are made in their place, entry by entry: they are in the nearest cache.
template <class T, class Inputs, class Element, class Outputs, class Term, std::size_t Width = 0>
class RowMatrixFunction {
  using Context = RowMatrixContext<T, Term, Inputs, Outputs>;
  using Ins = BoundVectors<Inputs, Width>;
  using Ats = BoundVectors<Outputs, Width>;
  using Out = RowAccess<T, Width>;
  static constexpr std::size_t kFirstAt = std::tuple_size_v<Inputs>;

 public:
  static void pull(const void* context, const MatrixTile& tile) {
    tile.prefetches() ? walk<true>(context, tile) : walk<false>(context, tile);
  }

  /// `out` holds what results are added to.
  static void push(const void* context, const MatrixTile& tile) {
    tile.prefetches() ? spread<true>(context, tile) : spread<false>(context, tile);
  }

  /// The order of runs and entries is that of other MxVs in blocks.
  static void blocked(const void* context, const MatrixBlock& block) {
    const auto& c = *static_cast<const Context*>(context);
    Local<Term> term = c.term;
    MadeRow<T, Width> made(c.width);
    const EntryValues<Element> value(block.value);
    const Ins in(c.in, block.in, block.read, 0);
    const Ats at(c.at, block.in, block.read, kFirstAt);
    const auto input = access(block.input, block.entries);
    const auto output = access(block.output, block.lists);
    const auto length = access(block.length, block.lists);
    const Out so_far{static_cast<T*>(block.out[0]), c.width, counter(block.accumulated, 0)};
    const Out out{static_cast<T*>(block.out[0]), c.width, counter(block.written, 0)};
    for_each_run(block, length, [&](std::uint64_t run, std::uint64_t first, std::uint64_t end, std::uint64_t step) {
      const std::uint32_t j = output[run];
      const auto here = at[j];
      [[maybe_unused]] const T* const before = so_far[j].data();
      const std::span<T> sum = out[j];
      if constexpr (Width > 0) {  // in registers
        T made_here[kFewNumbers];
        for (std::size_t k = 0; k < Width; ++k) made_here[k] = before[k];
        const std::span<T> here_sum(made_here, Width);
        for (std::uint64_t e = first; e < end; e += step)
          term.add(here_sum, made.numbers(), in[input[e]], value[e], here);
        for (std::size_t k = 0; k < Width; ++k) sum[k] = made_here[k];
      } else {
        for (std::uint64_t e = first; e < end; e += step) term.add(sum, made.numbers(), in[input[e]], value[e], here);
      }
    });
  }

  static void dense_mxv(const void* context, const DenseTile& tile) { rectangle<true>(context, tile); }
  static void dense_mxvt(const void* context, const DenseTile& tile) { rectangle<false>(context, tile); }

 private:
  template <bool Prefetch>
  static void walk(const void* context, const MatrixTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    Local<Term> term = c.term;
    MadeRow<T, Width> made(c.width);
    const EntryValues<Element> value(tile.matrix.value);
    const auto pointer = access(tile.matrix.pointer + tile.first + 1, tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const Ins in(c.in, tile.in, tile.read, 0);
    const Ats at(c.at, tile.in, tile.read, kFirstAt);
    const Out out{static_cast<T*>(tile.out[0]), c.width, counter(tile.written, 0)};
    const auto ahead = [&](std::uint64_t entry) {
      if constexpr (Prefetch) in.prefetch(tile.matrix.index[entry + kWidePrefetchDistance]);
    };
    std::uint64_t entry = tile.matrix.pointer[tile.first];
    for (std::uint32_t j = 0; j < tile.n; ++j) {
      const std::uint64_t end = pointer[j];
      const auto here = at[j];
      const std::span<T> sum = out[j];
      if (entry == end) {
        std::fill(sum.begin(), sum.end(), c.identity);
        continue;
      }
      if constexpr (Width > 0) {  // in registers
        T made_here[kFewNumbers];
        for (std::size_t k = 0; k < Width; ++k) made_here[k] = c.identity;
        const std::span<T> here_sum(made_here, Width);
        ahead(entry);
        term.first(here_sum, in[index[entry]], value[entry], here);
        for (++entry; entry < end; ++entry) {
          ahead(entry);
          term.add(here_sum, made.numbers(), in[index[entry]], value[entry], here);
        }
        for (std::size_t k = 0; k < Width; ++k) sum[k] = made_here[k];
      } else {
        ahead(entry);
        term.first(sum, in[index[entry]], value[entry], here);
        for (++entry; entry < end; ++entry) {
          ahead(entry);
          term.add(sum, made.numbers(), in[index[entry]], value[entry], here);
        }
      }
    }
  }

  template <bool Prefetch>
  static void spread(const void* context, const MatrixTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    Local<Term> term = c.term;
    MadeRow<T, Width> made(c.width);
    const EntryValues<Element> value(tile.matrix.value);
    const std::uint64_t* const begins = tile.matrix.pointer + tile.first;
    const auto ends = access(tile.ends(), tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const Ins in(c.in, tile.in, tile.read, 0);
    const Ats at(c.at, tile.in, tile.read, kFirstAt);
    const Out so_far{static_cast<T*>(tile.out[0]), c.width, tile.accumulated};
    const Out out{static_cast<T*>(tile.out[0]), c.width, counter(tile.written, 0)};
    for (std::uint32_t i = 0; i < tile.n; ++i) {
      std::uint64_t entry = begins[i];
      const std::uint64_t end = ends[i];
      const auto here = in[i];
      for (; entry < end; ++entry) {
        if constexpr (Prefetch) {
          const std::uint32_t ahead = tile.matrix.index[entry + kWidePrefetchDistance];
          at.prefetch(ahead);
          prefetch_lines(out.numbers + ahead * c.width, c.width * sizeof(T));
        }
        const std::uint32_t j = index[entry];
        so_far[j];  // is read
        term.add(out[j], made.numbers(), here, value[entry], at[j]);
      }
    }
  }

  /// Rows of the matrix one by one, as they are stored. The reference that counts walks outputs one by one, unless it
  /// adds to them: to others it writes once.
  template <bool Mxv>
  static void rectangle(const void* context, const DenseTile& tile) {
    if constexpr (!std::is_void_v<Element>) {
      const auto& c = *static_cast<const Context*>(context);
      Local<Term> term = c.term;
      MadeRow<T, Width> made(c.width);
      const auto x = access(static_cast<const Element*>(tile.value), tile.entries);
      const Ins in(c.in, tile.in, tile.read, 0);
      const Ats at(c.at, tile.in, tile.read, kFirstAt);
      const Out so_far{static_cast<T*>(tile.out[0]), c.width, tile.accumulated};
      const Out out{static_cast<T*>(tile.out[0]), c.width, counter(tile.written, 0)};
      const std::uint64_t inputs = Mxv ? tile.rows : tile.columns, outputs = Mxv ? tile.columns : tile.rows;
      const auto entry = [&](std::uint64_t i, std::uint64_t j) {
        return Mxv ? i * tile.stride + j : j * tile.stride + i;
      };
      const auto begin = [&](std::span<T> sum) {
        if (!tile.adds) std::fill(sum.begin(), sum.end(), c.identity);
      };
      if (kCountAccesses ? !tile.adds : !Mxv) {
        for (std::uint64_t j = 0; j < outputs; ++j) {
          const auto here = at[j];
          const std::span<T> sum = out[j];
          begin(sum);
          for (std::uint64_t i = 0; i < inputs; ++i) term.add(sum, made.numbers(), in[i], x[entry(i, j)], here);
        }
        return;
      }
      for (std::uint64_t j = 0; j < outputs && !tile.adds; ++j) begin(out[j]);
      for (std::uint64_t i = 0; i < inputs; ++i) {
        const auto here = in[i];
        for (std::uint64_t j = 0; j < outputs; ++j) {
          so_far[j];  // is read
          term.add(out[j], made.numbers(), here, x[entry(i, j)], at[j]);
        }
      }
    }
  }
};

template <kasen::Op direction, class T, class Element, class Term, class Inputs, class Outputs>
MatrixKernel row_matrix_kernel(const Inputs& in, const Outputs& at, std::uint64_t width, Term term, T identity) {
  using Context = RowMatrixContext<T, Term, Inputs, Outputs>;
  MatrixKernel kernel;
  kernel.context = context_of(Context{std::move(term), identity, width, in, at});
  using Function = RowMatrixFunction<T, Inputs, Element, Outputs, Term>;
  return with_functions<T, Element, Function, direction>(std::move(kernel), in, at);
}

/// Widths for which walks of sparse matrices are compiled apart, so that loops over rows are unrolled: they take half
/// as long.
using KnownWidths = std::index_sequence<4, 8, 10, 16, 20>;

/// Whether all rows among the operands have this width.
template <class... Operand>
bool have_width(const std::tuple<Operand...>& operands, std::uint64_t width) {
  const auto has = [&]<class T>(const T& operand) {
    if constexpr (requires { operand.width; }) return operand.width == width;
    return true;
  };
  return std::apply([&](const auto&... operand) { return (has(operand) && ... && true); }, operands);
}

template <class T, class Element, class Term, class... In, class... At, std::size_t... Width>
void know_width(MatrixKernel& kernel, const std::tuple<In...>& in, const std::tuple<At...>& at, std::uint64_t width,
                std::index_sequence<Width...>) {
  if (!have_width(in, width) || !have_width(at, width)) return;
  const auto know = [&]<std::size_t Known>(std::integral_constant<std::size_t, Known>) {
    using Function = RowMatrixFunction<T, std::tuple<In...>, Element, std::tuple<At...>, Term, Known>;
    if (width != Known) return;
    kernel.pull[0] = unmasked<&Function::pull, Element, typename Stepped<In>::type..., typename Stepped<At>::type...>();
    kernel.blocked[0] =
        unmasked<&Function::blocked, Element, typename Stepped<In>::type..., typename Stepped<At>::type...>();
  };
  (know(std::integral_constant<std::size_t, Width>()), ...);
}

}  // namespace detail

/// The kernels of an MxV of both ends whose function writes rows of this width, for one MxV each, as ends_kernel().
template <kasen::Op direction, class T, class Element, class Inputs, class Outputs, class Fz, class Op>
MatrixKernel ends_to_rows_kernel(const Inputs& in, const Outputs& at, std::uint64_t width, Fz f_z, Op op, T identity) {
  using Term = detail::WrittenRow<T, Element, Fz, Op>;
  MatrixKernel kernel =
      detail::row_matrix_kernel<direction, T, Element>(in, at, width, Term{std::move(f_z), std::move(op)}, identity);
  if constexpr (!kCountAccesses) detail::know_width<T, Element, Term>(kernel, in, at, width, detail::KnownWidths());
  return kernel;
}

/// The kernels of an MxV of rows of numbers of type X: out[j][k] = op over the non-zeros of output j of
/// f_z(in[i][k], m), or of f_z(in[i][k]) over a Pattern (Element = void); for one MxV each.
template <kasen::Op direction, class T, class X, class Element, class Fz, class Op>
MatrixKernel rows_by_number_kernel(std::uint64_t width, Fz f_z, Op op, T identity) {
  using Term = detail::EachNumber<T, Element, Fz, Op>;
  return detail::row_matrix_kernel<direction, T, Element>(std::tuple{RowsOperand<X>{width}}, std::tuple<>(), width,
                                                          Term{std::move(f_z), std::move(op)}, identity);
}

}  // namespace kasen::runtime
