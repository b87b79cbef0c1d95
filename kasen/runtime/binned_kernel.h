/// @file
/// Kernels of reproducible sums: sums of numbers, by key and in products, whose results are rows of BinnedSums, and the
/// kernel that makes numbers of these. Elements are taken as so many numbers of type T, float or double, each.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kasen/base/binned_sum.h"
#include "kasen/runtime/access.h"
#include "kasen/runtime/block_runs.h"
#include "kasen/runtime/bound_vectors.h"
#include "kasen/runtime/kernel.h"
#include "kasen/runtime/key_kernel.h"
#include "kasen/runtime/operand.h"
#include "kasen/runtime/row_kernel.h"
#include "kasen/runtime/row_matrix_kernel.h"

/// A function that is compiled once, and called: where it is inlined into several kernels, a compiler may round its
/// products and sums in each of them in another way.
#if defined(__GNUC__) && !defined(__clang__)
#define KASEN_COMPILED_ONCE [[gnu::noipa]]
#else
#define KASEN_COMPILED_ONCE [[gnu::noinline]]
#endif

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

/// What a function makes at a non-zero: an element of some numbers of type T.
template <class Made, class T, class Element, class Fz, bool inlined>
struct AddedElement {
  Fz f_z;

  template <class In, class Value, class At>
  Made of(const In& in, const Value& value, const At& at) const {
    if constexpr (inlined) {
      return at_non_zero<Element>(f_z, in, value, at);
    } else {
      return called(f_z, in, value, at);
    }
  }
  template <class In, class Value, class At>
  KASEN_COMPILED_ONCE static Made called(const Fz& f_z, const In& in, const Value& value, const At& at) {
    return at_non_zero<Element>(f_z, in, value, at);
  }

  template <class In, class Value, class At>
  void first(std::span<BinnedSum> to, const In& in, const Value& value, const At& at) const {
    std::fill(to.begin(), to.end(), BinnedSum{});
    add(to, nullptr, in, value, at);
  }
  template <class In, class Value, class At>
  void add(std::span<BinnedSum> to, BinnedSum*, const In& in, const Value& value, const At& at) const {
    const Made made = of(in, value, at);
    if constexpr (std::is_arithmetic_v<Made>) {
      to[0].add(static_cast<double>(made));
    } else {
      const auto* const numbers = reinterpret_cast<const T*>(&made);
      for (std::size_t k = 0; k < to.size(); ++k) to[k].add(static_cast<double>(numbers[k]));
    }
  }
};

/// What a function writes at a non-zero: a row of numbers of type T.
template <class T, class Element, class Fz>
struct AddedRow {
  Fz f_z;

  template <class In, class Value, class At>
  KASEN_COMPILED_ONCE static void called(const Fz& f_z, const In& in, const Value& value, const At& at,
                                         std::span<T> made) {
    at_non_zero<Element>(f_z, in, value, at, made);
  }

  template <class In, class Value, class At>
  void first(std::span<BinnedSum> to, const In& in, const Value& value, const At& at) const {
    std::fill(to.begin(), to.end(), BinnedSum{});
    add(to, nullptr, in, value, at);
  }
  template <class In, class Value, class At>
  void add(std::span<BinnedSum> to, BinnedSum*, const In& in, const Value& value, const At& at) const {
    thread_local std::vector<T> made;
    if (made.size() < to.size()) made.resize(to.size());
    called(f_z, in, value, at, std::span<T>(made.data(), to.size()));
    for (std::size_t k = 0; k < to.size(); ++k) to[k].add(static_cast<double>(made[k]));
  }
};

/// What a function makes of each number of a row and the entry.
template <class T, class Element, class Fz, bool inlined>
struct AddedNumbers {
  Fz f_z;

  template <class X, class Value>
  T of(const X& x, [[maybe_unused]] const Value& value) const {
    if constexpr (inlined) {
      return made(f_z, x, value);
    } else {
      return called(f_z, x, value);
    }
  }
  template <class X, class Value>
  static T made(const Fz& f_z, const X& x, [[maybe_unused]] const Value& value) {
    if constexpr (std::is_void_v<Element>) {
      return f_z(x);
    } else {
      return f_z(x, value);
    }
  }
  template <class X, class Value>
  KASEN_COMPILED_ONCE static T called(const Fz& f_z, const X& x, const Value& value) {
    return made(f_z, x, value);
  }

  template <class In, class Value, class At>
  void first(std::span<BinnedSum> to, const In& in, const Value& value, const At& at) const {
    std::fill(to.begin(), to.end(), BinnedSum{});
    add(to, nullptr, in, value, at);
  }
  template <class In, class Value, class At>
  void add(std::span<BinnedSum> to, BinnedSum*, const In& in, const Value& value, const At&) const {
    const auto& row = std::get<0>(in);
    for (std::size_t k = 0; k < to.size(); ++k) to[k].add(static_cast<double>(of(row[k], value)));
  }
};

/// Sums of one number each, with that of an output, or of a run in blocks, in registers.
template <class Element, class Term, class Inputs, class Outputs>
class BinnedNumbers {
  using Context = RowMatrixContext<BinnedSum, Term, Inputs, Outputs>;
  using Value = std::conditional_t<std::is_void_v<Element>, std::byte, Element>;

 public:
  static void pull(const void* context, const MatrixTile& tile) {
    const bool prefetches = tile.matrix.pointer[tile.first + tile.n] <= tile.prefetch_end;
    prefetches ? walk<true>(context, tile) : walk<false>(context, tile);
  }

  /// The order of runs and entries is that of other MxVs in blocks.
  static void blocked(const void* context, const MatrixBlock& block) {
    const auto& c = *static_cast<const Context*>(context);
    Local<Term> term = c.term;
    const auto* const value = static_cast<const Value*>(block.value);
    const BoundVectors<Inputs> in(c.in, block.in, block.read, 0);
    const BoundVectors<Outputs> at(c.at, block.in, block.read, std::tuple_size_v<Inputs>);
    const auto input = access(block.input, block.entries);
    const auto output = access(block.output, block.lists);
    const auto length = access(block.length, block.lists);
    const auto so_far = access(static_cast<const BinnedSum*>(block.out[0]), counter(block.accumulated, 0));
    const auto out = access(static_cast<BinnedSum*>(block.out[0]), counter(block.written, 0));
    for_each_run(block, length, [&](std::uint64_t run, std::uint64_t first, std::uint64_t end, std::uint64_t step) {
      const std::uint32_t j = output[run];
      const auto here = at[j];
      out[j] = added(so_far[j], first, end, step,
                     [&](std::uint64_t e) { return static_cast<double>(term.of(in[input[e]], value[e], here)); });
    });
  }

 private:
  template <bool Prefetch>
  static void walk(const void* context, const MatrixTile& tile) {
    const auto& c = *static_cast<const Context*>(context);
    Local<Term> term = c.term;
    const auto* const value = static_cast<const Value*>(tile.matrix.value);
    const auto pointer = access(tile.matrix.pointer + tile.first + 1, tile.pointers);
    const auto index = access(tile.matrix.index, tile.entries);
    const BoundVectors<Inputs> in(c.in, tile.in, tile.read, 0);
    const BoundVectors<Outputs> at(c.at, tile.in, tile.read, std::tuple_size_v<Inputs>);
    const auto out = access(static_cast<BinnedSum*>(tile.out[0]), counter(tile.written, 0));
    std::uint64_t entry = tile.matrix.pointer[tile.first];
    for (std::uint32_t j = 0; j < tile.n; ++j) {
      const std::uint64_t end = pointer[j];
      const auto here = at[j];
      out[j] = added(BinnedSum(), entry, end, 1, [&](std::uint64_t e) {
        if constexpr (Prefetch) in.prefetch(tile.matrix.index[e + kPrefetchDistance]);
        return static_cast<double>(term.of(in[index[e]], value[e], here));
      });
      entry = end;
    }
  }

  /// A sum with number(e) for e of first, first + step, ... The first one says what window there is to be.
  template <class NumberAt>
  static BinnedSum added(BinnedSum sum, std::uint64_t first, std::uint64_t end, std::uint64_t step,
                         const NumberAt& number) {
    if (first >= end) return sum;
    sum.add(number(first));
    if (first + step >= end) return sum;
    BinnedAdder adder(sum);
    for (std::uint64_t e = first + step; e < end; e += step) adder.add(number(e));
    return adder.sum();
  }
};

}  // namespace detail

/// The kernel of table[key[k]] += v[k], of elements of `width` numbers of type T.
template <class T, class Key>
KeyKernel binned_by_key_kernel(std::uint64_t width) {
  using Function = detail::BinnedByKeyFunction<T, Key>;
  return detail::key_kernel<Key, T, Function>(typename Function::Context{width});
}

/// The kernels of an MxV that sums what f_z makes at non-zeros, elements `Made` of `width` numbers of type T; `in` and
/// `at` are the operands of both ends. For one MxV each. `inlined`: f_z is one operation, which has one rounding.
template <kasen::Op direction, class Made, class T, class Element, bool inlined, class Inputs, class Outputs, class Fz>
MatrixKernel binned_ends_kernel(const Inputs& in, const Outputs& at, std::uint64_t width, Fz f_z) {
  using Term = detail::AddedElement<Made, T, Element, Fz, inlined>;
  MatrixKernel kernel =
      detail::row_matrix_kernel<direction, BinnedSum, Element>(in, at, width, Term{std::move(f_z)}, BinnedSum());
  if constexpr (std::is_arithmetic_v<Made>) {
    using Numbers = detail::BinnedNumbers<Element, Term, Inputs, Outputs>;
    kernel.pull[0] = &Numbers::pull;
    kernel.blocked[0] = &Numbers::blocked;
  }
  return kernel;
}

/// The same of an f_z that writes rows of `width` numbers.
template <kasen::Op direction, class T, class Element, class Inputs, class Outputs, class Fz>
MatrixKernel binned_ends_to_rows_kernel(const Inputs& in, const Outputs& at, std::uint64_t width, Fz f_z) {
  return detail::row_matrix_kernel<direction, BinnedSum, Element>(
      in, at, width, detail::AddedRow<T, Element, Fz>{std::move(f_z)}, BinnedSum());
}

/// The same of an f_z of each number, of type X, of rows of `width` of them.
template <kasen::Op direction, class T, class X, class Element, bool inlined, class Fz>
MatrixKernel binned_rows_kernel(std::uint64_t width, Fz f_z) {
  using Term = detail::AddedNumbers<T, Element, Fz, inlined>;
  return detail::row_matrix_kernel<direction, BinnedSum, Element>(std::tuple{RowsOperand<X>{width}}, std::tuple<>(),
                                                                  width, Term{std::move(f_z)}, BinnedSum());
}

}  // namespace kasen::runtime
